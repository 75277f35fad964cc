import type { Background } from '../../../analysis/trials/trial-scenarios.ts';
import { outputFlag, textFlag, readRepeated, readSeed } from '../../../adapters/config/flags/common-flags.ts';
import type { Flag, FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface TrialOptions extends Background {
  readonly output: 'text' | 'json' | 'yaml';
}

export interface PermuteFlags extends TrialOptions {
  readonly samples: number;
  readonly seed: number;
}

const repeated = (name: string, argument: string, help: string): Flag<readonly string[]> => ({
  name,
  argument,
  help,
  fallback: [],
  read: readRepeated,
});

/** The flags of `kadmit refeed`, in the order of its help. */
export const refeedFlags: FlagsOf<TrialOptions> = {
  load: repeated(
    'load',
    'PATH',
    'what is stored first: configurations, policies, definitions; then PATH holds the objects to create',
  ),
  to: repeated('to', 'WEBHOOK=URL', 'where a webhook really listens; without one nothing is known of it'),
  output: outputFlag,
};

/** The flags of `kadmit permute`, in the order of its help. */
export const permuteFlags: FlagsOf<PermuteFlags> = {
  ...refeedFlags,
  samples: {
    ...textFlag('samples', 'NUMBER', 'orders drawn by chance where there are too many for all'),
    fallback: 100,
    read: readSeed,
  },
  seed: { ...textFlag('seed', 'NUMBER', 'what chance begins with'), fallback: 1, read: readSeed },
};
