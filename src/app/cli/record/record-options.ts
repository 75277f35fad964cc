import { kubeconfigFlag, switchFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagReading, FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface RecordOptions {
  readonly output: string;
  readonly since: string;
  /** 0 for all. */
  readonly last: number;
  readonly namespace: string;
  readonly user: string;
  readonly name: string;
  readonly golden: boolean;
  readonly reveal: boolean;
  readonly kubeconfig: string;
}

/** The flags of `kadmit record`, in the order of its help. */
export const recordFlags: FlagsOf<RecordOptions> = {
  output: textFlag('output', 'FOLDER', 'the folder to write; -o for short', 'recorded'),
  since: textFlag('since', 'ID', 'only from the write with this Audit-Id on'),
  last: { name: 'last', argument: 'N', help: 'only the last N writes', fallback: 0, read: readCount },
  namespace: textFlag('namespace', 'NAME', 'only writes in this namespace and of it; -n for short'),
  user: textFlag('user', 'NAME', 'only writes of this user'),
  name: textFlag('name', 'TEXT', 'the name of the scenario; the folder’s when it is left out'),
  golden: switchFlag('golden', 'compare every object that is left with a golden file'),
  reveal: switchFlag('reveal', 'write what Secrets hold as it is, not masked'),
  kubeconfig: kubeconfigFlag,
};

function readCount(texts: readonly string[]): FlagReading<number> {
  const count = Number(texts.at(-1));
  if (Number.isInteger(count) && count > 0) return { outcome: 'read', value: count };
  return { outcome: 'wrong', problem: 'is no number of writes: give one from 1 up' };
}

export function recordHelp(): string {
  const flags = Object.values<Flag<unknown>>(recordFlags);
  const heads = flags.map(({ name, argument, isSwitch }) => `--${name}${isSwitch ? '' : ` ${argument}`}`);
  const width = Math.max(...heads.map((head) => head.length));
  const lines = flags.map(({ help, fallback }, index) => {
    const standard = typeof fallback === 'string' && fallback !== '' ? ` (${fallback})` : '';
    return `  ${(heads[index] ?? '').padEnd(width)}  ${help}${standard}`;
  });
  return [
    'usage: kadmit record [FLAGS]',
    '       kadmit record [FLAGS] -- COMMAND [ARG...]',
    '',
    'Writes a scenario of what the running server has just seen: what was there, what each webhook answered, what was',
    'done and what came of it; then runs it once, as kadmit test would. With a COMMAND, runs that with KUBECONFIG set',
    'and records what it does.',
    '',
    ...lines,
  ].join('\n');
}
