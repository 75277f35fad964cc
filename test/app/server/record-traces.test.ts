import { expect, test } from 'vitest';
import { createTracing } from '../../../src/app/server/record-traces.ts';
import { bareConfig } from '../../harness/start-kadmit.ts';
import { createTestWorld } from '../../harness/world.ts';

test('--keep-traces limits the number of traces', async () => {
  const world = await createTestWorld();
  for (const name of ['a', 'b', 'c']) {
    await world.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name } });
  }
  const keptOf = (keepTraces: number): readonly string[] => {
    const { record, log } = createTracing({ ...bareConfig, keepTraces }, () => {});
    world.finished.forEach(record);
    return log.list(10).map(({ name }) => name);
  };
  expect([keptOf(0), keptOf(2), keptOf(2_000)]).toEqual([[], ['c', 'b'], ['c', 'b', 'a']]);
});
