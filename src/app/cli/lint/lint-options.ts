import { textFlag, readChoice, readNames } from '../../../adapters/config/flags/common-flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

const outputs = ['text', 'json', 'yaml', 'sarif', 'github'] as const;
const limits = ['error', 'warning', 'note', 'never'] as const;

export interface LintOptions {
  readonly kubeconfig: string;
  readonly output: (typeof outputs)[number];
  readonly failOn: (typeof limits)[number];
  readonly ignore: readonly string[];
}

/** The flags of `kadmit lint`, in the order of its help. */
export const lintFlags: FlagsOf<LintOptions> = {
  kubeconfig: textFlag('kubeconfig', 'FILE', 'look at what this server holds, beside the files'),
  output: {
    name: 'output',
    argument: outputs.join('|'),
    help: 'how to print; -o for short',
    fallback: 'text',
    read: readChoice(outputs),
  },
  failOn: {
    name: 'fail-on',
    argument: limits.join('|'),
    help: 'exit code 1 from this severity on',
    fallback: 'warning',
    read: readChoice(limits),
  },
  ignore: {
    name: 'ignore',
    argument: 'RULE,...',
    help: 'rules that are not to be looked at',
    fallback: [],
    read: readNames,
  },
};
