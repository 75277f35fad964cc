import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTraceFiles } from '../../../src/adapters/traces/trace-files.ts';
import { createTraceLog } from '../../../src/adapters/traces/trace-log.ts';
import { createTestWorld } from '../../harness/world.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex');
const uuid = '6f1c2f7e-0000-4000-8000-000000000001';

test.each([
  [uuid, uuid],
  ['../../../etc/passwd', hashOf('../../../etc/passwd')],
  ['/absolute', hashOf('/absolute')],
  [uuid.toUpperCase(), hashOf(uuid.toUpperCase())],
  ['x'.repeat(256), hashOf('x'.repeat(256))],
])('the trace of Audit-Id %j is in the file of that name, readable by its owner alone', async (auditId, name) => {
  const directory = temporaryFolder(onTestFinished);
  const world = await createTestWorld();
  await world.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
  const [finished] = world.finished;
  if (!finished) throw new Error('nothing was traced');
  const problems: string[] = [];
  const files = createTraceFiles(directory, { maxFiles: 9, maxBytes: 1e9 }, (line) => problems.push(line));
  files.write(createTraceLog().record({ ...finished, request: { ...finished.request, auditId } }, 0));
  await files.flush();
  expect(problems).toEqual([]);
  expect(readdirSync(directory)).toEqual([`${name}.json`]);
  expect(statSync(join(directory, `${name}.json`)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8'))).toMatchObject({ id: auditId });
});

async function namesAfter(writes: readonly string[], limits: { maxFiles: number; maxBytes: number }) {
  const directory = temporaryFolder(onTestFinished);
  writeFileSync(join(directory, `${uuid}.json`), 'of an earlier server');
  writeFileSync(join(directory, 'notes.txt'), 'not a trace');
  const world = await createTestWorld();
  await world.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
  const [finished] = world.finished;
  if (!finished) throw new Error('nothing was traced');
  const problems: string[] = [];
  const files = createTraceFiles(directory, limits, (line) => problems.push(line));
  const log = createTraceLog();
  for (const auditId of writes) {
    files.write(log.record({ ...finished, request: { ...finished.request, auditId } }, 0));
  }
  await files.flush();
  return { names: readdirSync(directory), problems };
}

test.each([
  ['more files than allowed', { maxFiles: 2, maxBytes: 1e9 }, ['b', 'c']],
  ['more bytes than allowed: the newest stays', { maxFiles: 9, maxBytes: 1 }, ['c']],
  ['as many as allowed', { maxFiles: 4, maxBytes: 1e9 }, [undefined, 'a', 'b', 'c']],
])('the oldest files go, and nothing that is no trace: %s', async (_what, limits, kept) => {
  const { names, problems } = await namesAfter(['a', 'b', 'c'], limits);
  const expected = kept.map((id) => (id === undefined ? `${uuid}.json` : `${hashOf(id)}.json`));
  expect(names.toSorted()).toEqual([...expected, 'notes.txt'].toSorted());
  expect(problems).toEqual([]);
});

test('a full queue drops traces, which is reported once', async () => {
  const ids = Array.from({ length: 1003 }, (_none, index) => `id-${index}`);
  const { names, problems } = await namesAfter(ids, { maxFiles: 5, maxBytes: 1e9 });
  expect(names).toHaveLength(6);
  expect(problems).toEqual([expect.stringContaining('further ones are dropped')]);
});
