import { expect, test } from 'vitest';
import { createSpanSender, type Ended } from '../../../src/adapters/telemetry/span-sender.ts';
import { createTestWorld } from '../../harness/world.ts';
import type { FinishedRequest } from '../../../src/apiserver/request/handle.ts';

async function finishedRead(): Promise<FinishedRequest> {
  const world = await createTestWorld();
  await world.send('GET', '/api/v1/nodes');
  const [finished] = world.finished;
  if (!finished) throw new Error('nothing finished');
  const { as: _inside, ...request } = finished.request;
  return { ...finished, request };
}

test('what was not sent yet is sent when it closes; requests from inside the process are no spans', async () => {
  const sent: Ended[] = [];
  const load = async () => ({
    exportTrees: async (batch: readonly Ended[]) => {
      sent.push(...batch);
    },
  });
  const sender = createSpanSender({ now: () => 7, logError: (line) => expect.fail(line) }, load);
  const finished = await finishedRead();
  sender.finished(finished);
  sender.finished({
    ...finished,
    request: { ...finished.request, as: { username: 'x', uid: '', groups: [], extra: {} } },
  });
  sender.finished({ ...finished, response: { type: 'watch', open: () => () => {} } });
  await sender.close();
  expect(sent).toEqual([{ finished, at: 7 }]);
});

test('a collector that cannot be reached is one line', async () => {
  const lines: string[] = [];
  const refused = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:4318'));
  const sender = createSpanSender({ now: () => 7, logError: (line) => lines.push(line) }, async () => ({
    exportTrees: refused,
  }));
  const finished = await finishedRead();
  for (let round = 0; round < 3; round += 1) {
    sender.finished(finished);
    await sender.close();
  }
  expect(lines).toEqual(['OpenTelemetry: spans cannot be sent: connect ECONNREFUSED 127.0.0.1:4318']);
});
