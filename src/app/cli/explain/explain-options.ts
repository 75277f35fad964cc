import { kubeconfigFlag, switchFlag, textFlag, readChoice } from '../../../adapters/config/flags/common-flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

const outputs = ['text', 'json', 'yaml', 'sarif'] as const;

export interface ExplainOptions {
  readonly kubeconfig: string;
  readonly dry: string;
  readonly traceDir: string;
  readonly webhook: string;
  readonly namespace: string;
  readonly blame: boolean;
  readonly all: boolean;
  readonly showSecrets: boolean;
  readonly output: (typeof outputs)[number];
}

/** The flags of `kadmit explain`, in the order of its help. */
export const explainFlags: FlagsOf<ExplainOptions> = {
  dry: textFlag(
    'dry',
    'FILE',
    'send the objects of a file (-: stdin) as a dry run, explain each; exit code 1 if one is refused',
  ),
  traceDir: textFlag(
    'trace-dir',
    'FOLDER',
    'read the traces that a server left there instead of asking one; without an argument: the last refused write',
  ),
  webhook: textFlag(
    'webhook',
    'NAME',
    'tell only of webhooks with this in their own name or that of their configuration',
  ),
  namespace: textFlag('namespace', 'NAMESPACE', 'where TYPE/NAME is; -n for short; otherwise that of the kubeconfig'),
  blame: switchFlag('blame', 'who set each field of the object last'),
  all: switchFlag(
    'all',
    'also webhooks that were not meant for the request, however many, and long diffs to their end; of TYPE/NAME: every ' +
      'write of it that is known, the oldest first',
  ),
  showSecrets: switchFlag('show-secrets', 'what Secrets hold, as it is'),
  output: {
    name: 'output',
    argument: outputs.join('|'),
    help: 'how to print; -o for short; sarif has the findings and the refusals',
    fallback: 'text',
    read: readChoice(outputs),
  },
  kubeconfig: kubeconfigFlag,
};
