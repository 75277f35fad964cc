import { outputFlag, textFlag, readBoolean, readChoice } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading, FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface ReplayOptions {
  readonly to: string;
  readonly webhook: string;
  readonly round: '0' | '1';
  readonly from: string;
  readonly kubeconfig: string;
  readonly ca: string;
  readonly insecure: boolean;
  /** Seconds; 0 waits for as long as it takes. */
  readonly timeout: number;
  readonly output: 'text' | 'json' | 'yaml';
}

export const replayFlags: FlagsOf<ReplayOptions> = {
  to: textFlag('to', 'URL', 'where the webhook listens now, http or https, with its path'),
  webhook: textFlag(
    'webhook',
    'NAME',
    'which one, when several were called; CONFIGURATION/NAME when two share the name',
  ),
  round: {
    name: 'round',
    argument: '0|1',
    help: 'which call of a webhook that was called again in the second round',
    fallback: '0',
    read: readChoice<'0' | '1'>(['0', '1']),
  },
  from: textFlag('from', 'FILE', 'a trace as JSON (kadmit explain -o json) instead of one of the server'),
  kubeconfig: textFlag('kubeconfig', 'FILE', 'whose server to ask for the trace', '.kadmit/kubeconfig'),
  ca: textFlag('ca', 'FILE', 'authorities (PEM) that the certificate of the webhook may come from'),
  insecure: {
    name: 'insecure',
    argument: 'true|false',
    help: 'take any certificate',
    fallback: false,
    read: readBoolean,
    isSwitch: true,
  },
  timeout: {
    name: 'timeout',
    argument: 'SECONDS',
    help: 'how long to wait for the answer; 0 waits for as long as it takes, for a webhook in a debugger',
    fallback: 30,
    read: readSeconds,
  },
  output: outputFlag,
};

function readSeconds(texts: readonly string[]): FlagReading<number> {
  const seconds = Number(texts.at(-1));
  if (Number.isFinite(seconds) && seconds >= 0 && texts.at(-1) !== '') return { outcome: 'read', value: seconds };
  return { outcome: 'wrong', problem: 'is no number of seconds' };
}

export function replayHelp(): string {
  const lines = Object.values<Flag<unknown>>(replayFlags).map((flag) => {
    const standard = flag.fallback === '' ? '' : ` (${String(flag.fallback)})`;
    return `  --${flag.name} ${flag.argument}  ${flag.help}${standard}`;
  });
  return [
    'usage: kadmit replay ID|last --to URL [FLAGS]',
    '       kadmit replay --from FILE --to URL [FLAGS]',
    '       kadmit replay --audit-log FILE --load PATH: what policies would have made of the writes of a log',
    '       kadmit replay --audit-log FILE --help, --dump PATH --help: more of that',
    '',
    'Sends the review that a webhook was sent in a traced request to this URL and compares the answer with the recorded',
    'one. ID is the Audit-Id header of an answer. Ends with 0 when they are the same, 1 when they differ, 2 when the',
    'webhook could not be asked.',
    '',
    ...lines,
  ].join('\n');
}
