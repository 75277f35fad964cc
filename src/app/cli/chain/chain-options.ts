import {
  kubeconfigFlag,
  outputFlag,
  textFlag,
  readChoice,
  readRepeated,
} from '../../../adapters/config/flags/common-flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

const verbs = ['create', 'update', 'patch', 'delete', 'connect'] as const;
type Verb = (typeof verbs)[number];
export interface ChainOptions {
  readonly verb: Verb;
  readonly file: string;
  readonly namespace: string;
  readonly as: string;
  readonly asGroup: readonly string[];
  readonly output: 'text' | 'json' | 'yaml';
  readonly kubeconfig: string;
}

/** The flags of `kadmit chain`, in the order of its help. */
export const chainFlags: FlagsOf<ChainOptions> = {
  verb: { name: 'verb', argument: verbs.join('|'), help: 'what is done', fallback: 'create', read: readChoice(verbs) },
  file: textFlag(
    'filename',
    'FILE',
    'the object (-: stdin); -f for short; without it whatever depends on labels and fields stays open',
  ),
  namespace: textFlag(
    'namespace',
    'NAMESPACE',
    'where, unless the object says; -n for short; otherwise that of the kubeconfig',
  ),
  as: textFlag('as', 'USER', 'who does it', 'kubernetes-admin'),
  asGroup: {
    name: 'as-group',
    argument: 'GROUP',
    help: 'a group of theirs; repeatable; kubernetes-admin is in system:masters',
    fallback: [],
    read: readRepeated,
  },
  output: outputFlag,
  kubeconfig: kubeconfigFlag,
};
