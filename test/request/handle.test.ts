import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../controllers/cluster.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

// What a trace shows of a refused request is the object as the stage that refused it had it.
test('a refused request is remembered as far as it came', async () => {
  const made = await startCluster([]);
  onTestFinished(() => made.close());
  await made.send('POST', configMaps, { metadata: { name: 'a' } });
  await expect(made.send('POST', configMaps, { metadata: { name: 'Not A Name' } })).rejects.toThrow('is invalid');
  await expect(made.send('PUT', `${configMaps}/a`, { metadata: { name: 'b' } })).rejects.toThrow('does not match');
  const objects = made.finished.map(({ exchange }) => exchange?.object?.metadata?.name);
  expect(objects.slice(-3)).toEqual(['a', 'Not A Name', 'b']);
});
