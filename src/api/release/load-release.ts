import { releaseNames } from '../../machinery/meta/release-names.ts';
import { createRelease } from './create-release.ts';
import { currentRelease } from './current-release.ts';
import type { Release } from './release.ts';
import { applyReleaseDelta, type ReleaseDelta } from './table-delta.ts';
import { currentTables } from './current-tables.ts';

/** Releases before the current one, as differences from it; each is loaded when it is first used. */
const older = new Map<string, () => Promise<ReleaseDelta>>([
  ['1.32', async () => (await import('./older/v1.32.json', { with: { type: 'json' } })).default],
  ['1.33', async () => (await import('./older/v1.33.json', { with: { type: 'json' } })).default],
  ['1.34', async () => (await import('./older/v1.34.json', { with: { type: 'json' } })).default],
  ['1.35', async () => (await import('./older/v1.35.json', { with: { type: 'json' } })).default],
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
  const tables = delta ? applyReleaseDelta(currentTables, await delta()) : currentTables;
  const version = patch === undefined ? tables.types.version : `v${minor}.${patch}`;
  if (version === currentRelease.types.version) return currentRelease;
  const words =
    delta && (await import('../messages/format-older-errors.ts')).formatErrorsForRelease(Number(minor.split('.')[1]));
  return createRelease({ ...tables, types: { ...tables.types, version } }, words);
}
