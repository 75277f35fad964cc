import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

test('a stack trace names the file and line of the source, and the built file where there is no source map', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-maps-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const built = join(folder, 'dist.mjs');
  writeFileSync(built, 'export function fail() { throw new Error("no luck"); }\n');
  // The first column of the built file is line 6 of the source.
  const map = { version: 3, sources: ['src/fail.ts'], names: [], mappings: 'AAKA' };
  writeFileSync(`${built}.map`, JSON.stringify(map));
  const plain = join(folder, 'plain.mjs');
  writeFileSync(plain, 'import { fail } from "./dist.mjs";\nexport const call = () => fail();\n');
  const script = `
    const { showSourcePositions } = await import('./src/app/cli/terminal/source-positions.ts');
    showSourcePositions();
    const { call } = await import(${JSON.stringify(pathToFileURL(plain).href)});
    try { call(); } catch (error) { console.log(error.stack); }`;
  const args = ['--import', './test/tools/typescript.mjs', '--input-type=module', '--eval', script];
  const [message, thrown, caller] = execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n');
  expect(message).toBe('Error: no luck');
  expect(thrown).toBe(`    at fail (${pathToFileURL(join(folder, 'src/fail.ts')).href}:6:1)`);
  expect(caller).toBe(`    at call (${pathToFileURL(plain).href}:2:27)`);
});
