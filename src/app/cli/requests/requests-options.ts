import {
  kubeconfigFlag,
  outputFlag,
  switchFlag,
  textFlag,
  readChoice,
  readWhole,
} from '../../../adapters/config/flags/common-flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

const verbs = ['create', 'update', 'patch', 'delete', 'deletecollection', 'connect'] as const;
type Verb = (typeof verbs)[number];

export interface RequestsOptions {
  readonly user: string;
  readonly verb: Verb | '';
  readonly resource: string;
  readonly namespace: string;
  readonly webhook: string;
  readonly refused: boolean;
  readonly findings: boolean;
  readonly all: boolean;
  readonly last: number;
  readonly watch: boolean;
  readonly output: 'text' | 'json' | 'yaml';
  readonly kubeconfig: string;
}

/** The flags of `kadmit requests`, in the order of its help. */
export const requestsFlags: FlagsOf<RequestsOptions> = {
  user: textFlag('user', 'NAME', 'only what this user sent'),
  verb: { name: 'verb', argument: verbs.join('|'), help: 'only this verb', fallback: '', read: readChoice(verbs) },
  resource: textFlag('resource', 'TYPE', 'only this resource, by any name that kubectl takes, with its subresources'),
  namespace: textFlag('namespace', 'NAMESPACE', 'only this namespace; -n for short'),
  webhook: textFlag('webhook', 'NAME', 'only where a webhook with this in its name was considered'),
  refused: switchFlag('refused', 'only what was refused'),
  findings: switchFlag('findings', 'only what has findings, notes aside'),
  all: switchFlag('all', 'also what controllers wrote and no webhook was asked about'),
  last: { name: 'last', argument: 'NUMBER', help: 'how many of them, the newest', fallback: 50, read: readWhole },
  watch: switchFlag('watch', 'go on with every request that comes, until Ctrl-C; -w for short'),
  output: { ...outputFlag, help: 'how to print; -o for short; with --watch a document each' },
  kubeconfig: kubeconfigFlag,
};
