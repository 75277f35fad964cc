import { readBoolean, readChoice, readText } from './flag-readers.ts';
import type { Flag, FlagsOf } from './flags.ts';

type Output = 'text' | 'json' | 'yaml';

export interface ExplainOptions {
  readonly kubeconfig: string;
  readonly dry: string;
  readonly webhook: string;
  readonly blame: boolean;
  readonly all: boolean;
  readonly showSecrets: boolean;
  readonly output: Output;
}

const switched = (name: string, help: string): Flag<boolean> => ({
  name,
  argument: 'true|false',
  help,
  fallback: false,
  read: readBoolean,
  isSwitch: true,
});

const text = (name: string, argument: string, help: string): Flag<string> => ({
  name,
  argument,
  help,
  fallback: '',
  read: readText,
});

/** The flags of `kadmit explain`, in the order of its help. */
export const explainFlags: FlagsOf<ExplainOptions> = {
  dry: text(
    'dry',
    'FILE',
    'send the objects of a file (-: stdin) as a dry run, explain each; exit code 1 if one is refused',
  ),
  webhook: text('webhook', 'NAME', 'tell only of webhooks with this in their own name or that of their configuration'),
  blame: switched('blame', 'who set each field of the object last'),
  all: switched('all', 'also webhooks that were not meant for the request, however many, and long diffs to their end'),
  showSecrets: switched('show-secrets', 'what Secrets hold, as it is'),
  output: {
    name: 'output',
    argument: 'text|json|yaml',
    help: 'how to print; -o for short',
    fallback: 'text',
    read: readChoice<Output>(['text', 'json', 'yaml']),
  },
  kubeconfig: {
    name: 'kubeconfig',
    argument: 'FILE',
    help: 'whose server to ask',
    fallback: '.kadmit/kubeconfig',
    read: readText,
  },
};
