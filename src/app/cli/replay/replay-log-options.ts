import { outputFlag, textFlag, readRepeated } from '../../../adapters/config/flags/common-flags.ts';
import { flagLines } from '../../../adapters/config/flags/flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';
import type { ReplayOptions } from '../../../analysis/trials/replay-report.ts';

export interface ReplayLogOptions extends ReplayOptions {
  readonly output: 'text' | 'json' | 'yaml';
}

/** The flags of `kadmit replay --audit-log`, in the order of its help. */
export const replayLogFlags: FlagsOf<ReplayLogOptions> = {
  auditLog: textFlag(
    'audit-log',
    'FILE',
    'an audit log, JSON lines, perhaps gzipped; level Request or RequestResponse',
  ),
  dump: {
    name: 'dump',
    argument: 'PATH',
    help: 'objects (kubectl get -A -o yaml) that are created anew, instead of or beside a log; repeatable',
    fallback: [],
    read: readRepeated,
  },
  load: {
    name: 'load',
    argument: 'PATH',
    help: 'the policies, bindings, configurations and objects to replay it before; repeatable',
    fallback: [],
    read: readRepeated,
  },
  to: {
    name: 'to',
    argument: 'WEBHOOK=URL',
    help: 'where a webhook really listens: it is asked, and its time taken; repeatable',
    fallback: [],
    read: readRepeated,
  },
  takes: {
    name: 'takes',
    argument: 'WEBHOOK=DURATION',
    help: 'how long a webhook takes that allows, * for each of which nothing else is said; repeatable',
    fallback: [],
    read: readRepeated,
  },
  output: outputFlag,
};

export const replayLogHelp = (): string =>
  [
    'usage: kadmit replay --audit-log FILE --load PATH [FLAGS]',
    '       kadmit replay --dump PATH --load PATH [FLAGS]',
    '',
    'Sends the writes of an audit log, or the objects of a dump, as dry runs to a world that holds what --load names, and says',
    'what would be refused now, changed as it was not then, and slower, and by whom. Webhooks without --to are taken to allow',
    'everything, at once unless --takes says how long. Reads the log as it goes.',
    'Exit codes: 0 nothing would be refused, 1 something would, 2 a file that cannot be read.',
    '',
    ...flagLines(replayLogFlags),
  ].join('\n');
