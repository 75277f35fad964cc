import { expect, test } from 'vitest';
import type { CallWebhook } from '../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** What is done, sentence first, and what is seen then. */
export type Story = readonly [sentence: string, act: (cluster: Cluster) => Promise<unknown>, seen: unknown];

/** Plays each story on a cluster of its own, on which nothing may go wrong unseen. */
export function tell(stories: readonly Story[], call?: CallWebhook): void {
  test.each(stories)('%s', async (_sentence, act, seen) => {
    const cluster = await startCluster(['*'], call);
    await cluster.settle();
    expect(await act(cluster)).toEqual(seen);
    expect(cluster.bugs).toEqual([]);
    await cluster.close();
  });
}

export const makeNamespace = async (cluster: Cluster, name: string): Promise<void> => {
  await cluster.send('POST', '/api/v1/namespaces', { kind: 'Namespace', apiVersion: 'v1', metadata: { name } });
  await cluster.settle();
};

/** A ConfigMap in namespace `default`; its uid. */
export async function makeConfigMap(cluster: Cluster, name: string, metadata: JsonObject = {}): Promise<string> {
  const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, ...metadata } };
  await cluster.send('POST', '/api/v1/namespaces/default/configmaps', body);
  return (await cluster.find(`/api/v1/namespaces/default/configmaps/${name}`))?.metadata?.uid ?? '';
}

export const mergePatch = 'application/merge-patch+json';
