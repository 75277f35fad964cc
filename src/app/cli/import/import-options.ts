import { outputFlag, switchFlag, textFlag, readRepeated } from '../../../adapters/config/flags/common-flags.ts';
import { flagLines } from '../../../adapters/config/flags/flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface ImportOptions {
  readonly out: string;
  readonly load: readonly string[];
  readonly run: boolean;
  readonly output: 'text' | 'json' | 'yaml';
}

/** The flags of `kadmit import`, in the order of its help. */
export const importFlags: FlagsOf<ImportOptions> = {
  out: textFlag(
    'out',
    'PATH',
    'scenario.yaml, or a folder; with several scenarios, the folder that holds one for each',
  ),
  load: {
    name: 'load',
    argument: 'PATH',
    help: 'loaded by each scenario: definitions, configurations; repeatable',
    fallback: [],
    read: readRepeated,
  },
  run: { ...switchFlag('run', 'run what was written; --run=false leaves it'), fallback: true },
  output: outputFlag,
};

export const importHelp = (): string =>
  [
    'usage: kadmit import FILE|FOLDER... --out scenario.yaml|FOLDER',
    '',
    'Writes scenarios of the tests of others: kyverno-test.yaml (policies that a server has itself), suites of gator (templates in CEL),',
    'folders of kat, tests of chainsaw (what needs only an API server), AdmissionReviews. What cannot be carried over is listed.',
    'example: kadmit import policies/tests --out scenarios/imported',
    'Exit codes: 0 written and passed, 1 a scenario fails or nothing could be carried over, 2 a file that cannot be read.',
    '',
    ...flagLines(importFlags),
  ].join('\n');
