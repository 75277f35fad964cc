import { asList, asObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { semanticEqual } from '../../machinery/meta/semantic-equal.ts';
import type { EndpointSlice } from '../types/generated/discovery-v1.ts';

/**
 * The field of v1beta1 is not written over v1, and stays where the endpoints do.
 * Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go dropTopologyOnV1.
 */
export function dropTopology(object: KubernetesObject, old?: KubernetesObject): Result<KubernetesObject> {
  const slice: EndpointSlice = object;
  const before: EndpointSlice | undefined = old;
  const endpoints = asList(slice.endpoints);
  if (!endpoints.some((one) => asObject(one).deprecatedTopology !== undefined)) return ok(object);
  if (before && semanticEqual(slice.endpoints ?? null, before.endpoints ?? null)) return ok(object);
  return ok({ ...object, endpoints: endpoints.map((one) => withoutTopology(asObject(one))) });
}

function withoutTopology({ deprecatedTopology: _dropped, ...rest }: JsonObject): JsonObject {
  return rest;
}
