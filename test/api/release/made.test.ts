import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checksums, madeFile } from '../../tools/release/checksums.ts';
import { followedVersion, releaseNames } from '../../../src/machinery/meta/release-names.ts';
import { currentRelease } from '../../../src/api/release/current-release.ts';

/**
 * Who changes the generator runs it for each release, who changes a table changes the generator: `npm run release-tables -- --minor 32`,
 * with `--check` to see what would be otherwise.
 */
test('the tables of releases are what the generator made', () => {
  expect(checksums()).toEqual(JSON.parse(readFileSync(madeFile, 'utf8')));
});

test('the release that is followed by itself is told by one name', () => {
  expect(currentRelease.types.version).toBe(followedVersion);
  expect(followedVersion.startsWith(`v${releaseNames.at(-1)}.`)).toBe(true);
});
