import { expect, test } from 'vitest';
import type { CallWebhook } from '../../src/apiserver/admission/webhooks/call.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** A fact, the requests, and their expected result. */
export type ControllerCase = readonly [fact: string, act: (cluster: Cluster) => Promise<unknown>, expected: unknown];

/** Runs each case on its own cluster, which must not report a bug. */
export function testCases(cases: readonly ControllerCase[], call?: CallWebhook): void {
  test.each(cases)('%s', async (_fact, act, expected) => {
    const cluster = await startCluster(['*'], call);
    await cluster.settle();
    expect(await act(cluster)).toEqual(expected);
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
