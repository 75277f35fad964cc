import { releaseNames } from '../../machinery/meta/release-names.ts';
import { createRelease } from './create-release.ts';
import { currentRelease } from './current-release.ts';
import type { Release } from './release.ts';
import { applyReleaseDelta, type ReleaseDelta } from './table-delta.ts';
import { v136 } from './v1-36.ts';

/** Releases stored as differences to 1.36. */
const older: ReadonlyMap<string, () => Promise<ReleaseDelta>> = new Map([
  ['1.32', async () => (await import('./v1-32.ts')).v132],
  ['1.33', async () => (await import('./v1-33.ts')).v133],
  ['1.34', async () => (await import('./v1-34.ts')).v134],
  ['1.35', async () => (await import('./v1-35.ts')).v135],
]);

export type ReleaseReading =
  | { readonly outcome: 'known'; readonly load: () => Promise<Release> }
  | { readonly outcome: 'unknown'; readonly problem: string };

const loaded = new Map<string, Promise<Release>>();

/** `1.32`, `v1.32` or `v1.32.10`: the tables are those of the minor release. */
export function readRelease(text: string): ReleaseReading {
  const [, minor = '', patch] = /^v?(1\.\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (!releaseNames.includes(minor)) {
    return { outcome: 'unknown', problem: `is no release that kadmit knows: ${releaseNames.join(', ')}` };
  }
  const key = patch === undefined ? minor : `${minor}.${patch}`;
  return {
    outcome: 'known',
    load: () => {
      const release = loaded.get(key) ?? make(minor, patch);
      loaded.set(key, release);
      return release;
    },
  };
}

/** '' is the default release. Throws for an unknown name. */
export function loadRelease(text: string): Promise<Release> {
  const reading = text === '' ? undefined : readRelease(text);
  if (reading?.outcome === 'unknown') throw new Error(`${JSON.stringify(text)} ${reading.problem}`);
  return reading ? reading.load() : Promise.resolve(currentRelease);
}

async function make(minor: string, patch: string | undefined): Promise<Release> {
  const delta = older.get(minor);
  if (!delta && patch === undefined) return currentRelease;
  const tables = delta ? applyReleaseDelta(v136, await delta()) : v136;
  const version = patch === undefined ? tables.types.version : `v${minor}.${patch}`;
  if (version === currentRelease.types.version) return currentRelease;
  const words = delta && (await import('../messages/older-words.ts')).olderWords(Number(minor.split('.')[1]));
  return createRelease({ ...tables, types: { ...tables.types, version } }, words);
}
