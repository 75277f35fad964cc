import { expect, test } from 'vitest';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { objectDiff } from '../../../src/explain/trace/object-diff.ts';
import { createTraceLog } from '../../../src/adapters/traces/trace-log.ts';
import { type SentRequest, tracesOf } from '../../harness/trace-requests.ts';
import { createTestWorld } from '../../harness/world.ts';

const pods = '/api/v1/namespaces/default/pods';
const pod = (container: object) => ({
  metadata: { name: 'p' },
  spec: {
    automountServiceAccountToken: false,
    serviceAccountName: 'default',
    serviceAccount: 'default',
    containers: [{ name: 'c', image: 'i', ...container }],
  },
});
const account: SentRequest = ['POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }];
const created: SentRequest = ['POST', pods, pod({})];
const refused: SentRequest = ['PUT', `${pods}/p`, pod({ command: [], args: [], workingDir: '/w' })];

const linesOf = (before: object | null, after: object | null): readonly string[] =>
  objectDiff({ spec: Object(before).spec }, { spec: Object(after).spec }).map(({ sign, text }) => `${sign}${text}`);
const changed = [' spec:', '   containers:', '   - name: c', '+    workingDir: /w'];

test('a refused update differs from the stored object by what changed, not by empty lists', async () => {
  const traces = await tracesOf({ before: [account, created], sent: [refused] });
  expect(traces.map(({ objectBefore, objectAfter }) => linesOf(objectBefore, objectAfter))).toEqual([changed]);
});

test('the trace log keeps the same', async () => {
  const log = createTraceLog();
  const world = await createTestWorld();
  for (const [method, path, body] of [account, created, refused]) await world.send(method, path, body);
  const last = world.finished.at(-1);
  const trace = last && log.record(last, 0).trace();
  expect(linesOf(trace?.objectBefore ?? null, trace?.objectAfter ?? null)).toEqual(changed);
});

test('a headline that is too long is cut to its first line', async () => {
  const [trace] = await tracesOf({ before: [account, created], sent: [refused] });
  const lines = trace ? renderExplanation(trace).split('\n') : [];
  expect(lines.find((line) => line.includes('refused by the API server itself'))).toMatch(/previously negative\) …$/);
});
