import {
  assumedForAbsent,
  type AssumedResponse,
  assumptionFor,
  isAbsent,
} from '../../apiserver/admission/webhooks/assumption.ts';
import type { ClientConfig } from '../../apiserver/admission/webhooks/call.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { ChainBackend } from '../../explain/trace/chain-document.ts';
import { jsonResponse } from '../../adapters/http/json-body.ts';
import type { ProbeResult } from '../../adapters/webhook-client/probe-backend.ts';

export interface BackendPorts {
  readonly probe: (clientConfig: ClientConfig) => Promise<ProbeResult>;
  readonly assumptions: readonly AssumedResponse[];
}

/** `GET /kadmit/v1/backends`: all webhooks and whether they can be reached. undefined for any other path. */
export const serveBackends =
  (cluster: Pick<ClusterView, 'list'>, ports: BackendPorts) =>
  ({ method, path }: Pick<ApiRequest, 'method' | 'path'>): Promise<ApiResponse> | undefined =>
    method === 'GET' && path === '/kadmit/v1/backends' ? answer(cluster, ports) : undefined;

const kinds = [
  { phase: 'mutating', resource: 'mutatingwebhookconfigurations' },
  { phase: 'validating', resource: 'validatingwebhookconfigurations' },
] as const;

async function answer(cluster: Pick<ClusterView, 'list'>, ports: BackendPorts): Promise<ApiResponse> {
  const entries = kinds.flatMap(({ phase, resource }) =>
    cluster
      .list({ group: 'admissionregistration.k8s.io', resource })
      .flatMap(({ metadata, webhooks }) =>
        asList(webhooks).map((one) => ({ phase, within: metadata?.name ?? '', webhook: asObject(one) })),
      ),
  );
  const backends = await mapInBatches(entries, (entry) => backend(entry, ports));
  return jsonResponse({ backends });
}

/** Each probe opens a connection. */
const batchSize = 50;

/** Maps the items in batches, in order. */
export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  probeItem: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += batchSize) {
    // oxlint-disable-next-line no-await-in-loop -- one group after the other
    results.push(...(await Promise.all(items.slice(at, at + batchSize).map(probeItem))));
  }
  return results;
}

interface Entry {
  readonly phase: ChainBackend['phase'];
  readonly within: string;
  readonly webhook: JsonObject;
}

async function backend({ phase, within, webhook }: Entry, ports: BackendPorts): Promise<ChainBackend> {
  const { name, failurePolicy, clientConfig } = webhook;
  const about = { phase, name: asString(name), within, failurePolicy: asString(failurePolicy) || 'Fail' };
  return { ...about, ...(isJsonObject(clientConfig) && (await probeHealth(about, clientConfig, ports))) };
}

/** Without a probe when its response is assumed. */
export async function probeHealth(
  { name, within }: { readonly name: string; readonly within: string },
  clientConfig: ClientConfig,
  { probe, assumptions }: BackendPorts,
): Promise<Pick<ChainBackend, 'health' | 'assumed'>> {
  const named = assumptionFor({ name, configuration: within }, assumptions);
  if (named) return { assumed: named };
  const health = await probe(clientConfig);
  const ofAbsent = assumedForAbsent(assumptions);
  const isAssumed = ofAbsent !== undefined && health.outcome === 'unreachable' && isAbsent(health.phase);
  return { health, ...(isAssumed && { assumed: ofAbsent }) };
}
