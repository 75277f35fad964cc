import type { ComparisonOptions } from '../../../analysis/trials/comparisons.ts';
import { outputFlag, textFlag, readRepeated } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagsOf } from '../../../adapters/config/flags/flags.ts';
import { flagLines } from '../../../adapters/config/flags/flags.ts';

export interface DiffOptions extends ComparisonOptions {
  readonly output: 'text' | 'json' | 'yaml';
}

const repeated = (name: string, argument: string, help: string): Flag<readonly string[]> => ({
  name,
  argument,
  help,
  fallback: [],
  read: readRepeated,
});

/** The flags of `kadmit diff`, in the order of its help. */
export const diffFlags: FlagsOf<DiffOptions> = {
  auditLog: textFlag('audit-log', 'FILE', 'send the writes of this audit log, JSON lines, perhaps gzipped'),
  traces: textFlag('traces', 'FOLDER', 'send the writes of these traces (--trace-dir of kadmit serve)'),
  load: repeated('load', 'PATH', 'what is stored beside either set: objects, definitions; repeatable'),
  to: repeated('to', 'WEBHOOK=URL', 'where a webhook really listens; those without one change nothing; repeatable'),
  output: outputFlag,
};

export const diffHelp = (): string =>
  [
    'usage: kadmit diff A B OBJECTS|SCENARIO... [FLAGS]',
    '       kadmit diff A B --audit-log FILE | --traces FOLDER',
    '',
    'Sends the same requests to two worlds, one with the webhook configurations, policies and bindings of A (a file or a folder),',
    'one with those of B, and says where verdicts, objects, warnings and calls differ. Of a scenario the requests, stubs and objects',
    'are taken, and its configurations and policies left out.',
    'Exit codes: 0 nothing differs, 1 something does, 2 a file that cannot be read.',
    '',
    ...flagLines(diffFlags),
  ].join('\n');
