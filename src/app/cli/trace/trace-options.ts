import { kubeconfigFlag, switchFlag, readPort, readText } from '../../../adapters/config/flags/common-flags.ts';
import { spelledOut } from '../../../adapters/config/flags/flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface ExportOptions {
  readonly output: string;
  readonly showSecrets: boolean;
  readonly kubeconfig: string;
}

export interface OpenOptions {
  readonly port: number;
  readonly browser: boolean;
}

/** The flags of `kadmit trace export`, in the order of its help. */
export const exportFlags: FlagsOf<ExportOptions> = {
  output: {
    name: 'output',
    argument: 'FILE',
    help: 'the file to write, - for standard output; -o for short',
    fallback: 'kadmit-trace.html',
    read: readText,
  },
  showSecrets: switchFlag('show-secrets', 'write what Secrets hold as it is, not masked; --reveal is the same'),
  kubeconfig: kubeconfigFlag,
};

/** The flags of `kadmit trace open`. */
export const openFlags: FlagsOf<OpenOptions> = {
  port: {
    name: 'port',
    argument: 'PORT',
    help: 'the port of the loopback address to serve the page on; 0 picks a free one',
    fallback: 0,
    read: readPort(0),
  },
  browser: switchFlag('browser', 'open the page in the browser'),
};

/** Short names and other names as the flags' own. */
export const withLongNames = (args: readonly string[]): readonly string[] =>
  spelledOut(args, { o: 'output' }).map((arg) => arg.replace(/^--reveal(?==|$)/, '--show-secrets'));
