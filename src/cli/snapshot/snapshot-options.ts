import { kubeconfigFlag, switchFlag } from '../../flags/common-flags.ts';
import { readNames } from '../../flags/flag-readers.ts';
import type { Chosen } from '../../snapshot/fetch-all.ts';
import type { Flag, FlagsOf } from '../../flags/flags.ts';

export interface SaveOptions extends Chosen {
  readonly kubeconfig: string;
}

const names = (name: string, help: string): Flag<readonly string[]> => ({
  name,
  argument: 'NAMES',
  help,
  fallback: [],
  read: readNames,
});

/** The flags of `kadmit snapshot save`, in the order of its help. */
export const saveFlags: FlagsOf<SaveOptions> = {
  kinds: names(
    'kinds',
    'only these resources (pods,deployments.apps,widgets), Secrets and Events too if they are named',
  ),
  namespaces: names('namespaces', 'of what lives in namespaces, only what is in these; -n for short'),
  secrets: switchFlag('secrets', 'Secrets too: they are in the file as they are'),
  kubeconfig: kubeconfigFlag,
};

/** The flags of `kadmit snapshot restore`. */
export const restoreFlags: FlagsOf<{ readonly kubeconfig: string }> = { kubeconfig: kubeconfigFlag };
