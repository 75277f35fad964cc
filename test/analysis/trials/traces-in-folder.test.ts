import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { traceInFolder } from '../../../src/analysis/trials/traced-request.ts';
import { traceFileName } from '../../../src/adapters/traces/trace-files.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const root = temporaryFolder();

/** A folder with a trace for each word, the last one newest. */
function folderOf(name: string, ...verdicts: readonly ('admitted' | 'refused')[]): string {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [index, verdict] of verdicts.entries()) {
    const request = { verb: 'create', group: '', resource: 'pods', subresource: '' };
    const trace = { traceVersion: 1, id: `id-${index}`, verdict, request, response: {}, admission: [], stages: [] };
    const path = join(folder, traceFileName(trace.id));
    writeFileSync(path, JSON.stringify(trace));
    utimesSync(path, 1000 + index, 1000 + index);
  }
  writeFileSync(join(folder, 'half.json.part'), '{');
  return folder;
}

const mixed = folderOf('mixed', 'refused', 'refused', 'admitted');
const fine = folderOf('fine', 'admitted', 'admitted');

test.each([
  ['the last refused one unless something else is asked for', mixed, undefined, 'id-1'],
  ['the last where none was refused', fine, undefined, 'id-1'],
  ['the last', mixed, 'last', 'id-2'],
  ['one by its Audit-Id', mixed, 'id-0', 'id-0'],
])('%s', (_fact, folder, id, found) => {
  expect(traceInFolder(folder, id).id).toBe(found);
});

test('kadmit test names files by step, in folders for each scenario', () => {
  const scenarios = folderOf('scenarios', 'admitted');
  const pods = { verb: 'create', group: '', resource: 'pods', subresource: '' };
  const trace = { traceVersion: 1, id: 'id-9', verdict: 'refused', request: pods };
  mkdirSync(join(scenarios, 'shop'));
  writeFileSync(
    join(scenarios, 'shop', '01-create-Pod.json'),
    JSON.stringify({ ...trace, response: {}, admission: [], stages: [] }),
  );
  expect([undefined, 'last', 'id-9', 'id-0'].map((id) => traceInFolder(scenarios, id).id)).toEqual([
    'id-9',
    'id-9',
    'id-9',
    'id-0',
  ]);
});

test.each([
  ['an empty folder', () => folderOf('empty'), undefined, 'holds no trace'],
  ['an Audit-Id that is not there', () => mixed, 'id-9', 'holds no trace "id-9"'],
  ['no folder', () => join(root, 'none'), undefined, 'cannot be read: ENOENT'],
])('%s is said', (_fact, folder, id, says) => {
  expect(() => traceInFolder(folder(), id)).toThrow(says);
});
