import { kubeconfigFlag, outputFlag } from '../../../adapters/config/flags/common-flags.ts';
import type { FlagsOf } from '../../../adapters/config/flags/flags.ts';

export interface DoctorOptions {
  readonly output: 'text' | 'json' | 'yaml';
  readonly kubeconfig: string;
}

/** The flags of `kadmit doctor`, in the order of its help. */
export const doctorFlags: FlagsOf<DoctorOptions> = { output: outputFlag, kubeconfig: kubeconfigFlag };
