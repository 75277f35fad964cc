import { kubeconfigFlag, switchFlag, readNames } from '../../../adapters/config/flags/common-flags.ts';
import { fastest, slowest } from '../../../testing/record-replay/snapshot/changes/speed.ts';
import type { Speed } from '../../../testing/record-replay/snapshot/changes/speed.ts';
import type { Chosen } from '../../../testing/record-replay/snapshot/fetch-all.ts';
import type { Flag, FlagReading, FlagsOf } from '../../../adapters/config/flags/flags.ts';

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

export interface ReplayChangesOptions {
  readonly speed: Speed;
  readonly kubeconfig: string;
}

/** The flags of `kadmit snapshot replay`. */
export const replayChangesFlags: FlagsOf<ReplayChangesOptions> = {
  speed: {
    name: 'speed',
    argument: 'TIMES|max',
    help: 'how many times as fast as it was recorded; max without any waiting',
    fallback: 1,
    read: readSpeed,
  },
  kubeconfig: kubeconfigFlag,
};

function readSpeed(texts: readonly string[]): FlagReading<Speed> {
  const text = texts.at(-1) ?? '';
  if (text === 'max') return { outcome: 'read', value: Infinity };
  const times = /^[\d.]+x?$/.test(text) ? Number(text.replace(/x$/, '')) : Number.NaN;
  return times >= slowest && times <= fastest
    ? { outcome: 'read', value: times }
    : { outcome: 'wrong', problem: `is no speed: give a number from ${slowest} to ${fastest}, or max` };
}
