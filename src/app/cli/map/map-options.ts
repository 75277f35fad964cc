import { kubeconfigFlag, outputFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface MapOptions {
  readonly remove: string;
  readonly output: 'text' | 'json' | 'yaml';
  readonly kubeconfig: string;
}

/** The flags of `kadmit map`, in the order of its help. */
export const mapFlags: FlagsOf<MapOptions> = {
  remove: textFlag('remove', 'FROM', 'no longer lead this one elsewhere'),
  output: outputFlag,
  kubeconfig: kubeconfigFlag,
};
