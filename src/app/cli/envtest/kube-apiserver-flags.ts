import { flagTypes } from '../../../adapters/config/upstream/flag-values.ts';
import type { FlagNames } from './pflag.ts';

/** Every flag of kube-apiserver v1.36. */
export const kubeApiserverFlags: FlagNames = {
  all: new Set(flagTypes.keys()),
  booleans: new Set([...flagTypes].flatMap(([name, type]) => (type === 'truth' ? [name] : []))),
  types: flagTypes,
  short: { h: 'help', v: 'v' },
};
