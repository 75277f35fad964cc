import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { withSourcePositions } from '../../../src/adapters/files/source-positions.ts';

test('a stack trace names the file and line of the source, and the built file where there is no source map', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-maps-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const built = join(folder, 'dist.mjs');
  // The first column of the built file is line 6 of the source.
  const map = { version: 3, sources: ['src/fail.ts'], names: [], mappings: 'AAKA' };
  writeFileSync(`${built}.map`, JSON.stringify(map));
  const plain = pathToFileURL(join(folder, 'plain.mjs')).href;
  const frames = [`    at fail (${pathToFileURL(built).href}:1:31)`, `    at ${plain}:2:27`];
  const [message, thrown, caller] = withSourcePositions(['Error: no luck', ...frames].join('\n')).split('\n');
  expect(message).toBe('Error: no luck');
  expect(thrown).toBe(`    at fail (${pathToFileURL(join(folder, 'src/fail.ts')).href}:6:1)`);
  expect(caller).toBe(frames[1]);
});
