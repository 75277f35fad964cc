import { asString } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { BuiltinTypes } from '../../../api/types/builtin-types.ts';
import { objectHash } from '../../template-hash/object-hash.ts';
import type { EndpointAddress } from '../../../api/types/generated/core-v1.ts';

/** An address, whether it is ready, and a port at which it listens; none where the Service has no ports. */
export interface Offer {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
  readonly port: JsonObject | undefined;
}

interface Port {
  readonly port: JsonObject | undefined;
  readonly addresses: Map<string, { readonly address: EndpointAddress; isReady: boolean }>;
}

/** Ports that the same addresses offer share a subset. Follows pkg/api/v1/endpoints/util.go RepackSubsets. */
export function packSubsets(types: BuiltinTypes, offers: readonly Offer[]): readonly JsonObject[] {
  const subsets = [...byAddresses(byPort(offers)).values()].map((ports) => subsetOf(types, ports));
  return inOrderOf(subsets, (subset) => objectHash(types, 'core.v1.EndpointSubset', subset));
}

function byPort(offers: readonly Offer[]): Iterable<Port> {
  const known = new Map<string, Port>();
  for (const { address, isReady, port } of offers) {
    const key = JSON.stringify(port ?? null);
    const { addresses } = known.get(key) ?? { addresses: new Map() };
    known.set(key, { port, addresses });
    const id = addressId(address);
    // One that is not ready in one place is not ready.
    addresses.set(id, { address, isReady: isReady && addresses.get(id)?.isReady !== false });
  }
  return known.values();
}

function byAddresses(ports: Iterable<Port>): ReadonlyMap<string, readonly Port[]> {
  const known = new Map<string, Port[]>();
  for (const one of ports) {
    const key = [...one.addresses]
      .map(([id, { isReady }]) => `${id} ${isReady}`)
      .sort()
      .join();
    known.set(key, [...(known.get(key) ?? []), one]);
  }
  return known;
}

const addressId = (address: EndpointAddress): string => `${asString(address.ip)} ${asString(address.targetRef?.uid)}`;

function subsetOf(types: BuiltinTypes, shared: readonly Port[]): JsonObject {
  const all = [...(shared[0]?.addresses ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const ready = all.filter(({ isReady }) => isReady).map(({ address }) => address);
  const others = all.filter(({ isReady }) => !isReady).map(({ address }) => address);
  const ports = shared.flatMap(({ port }) => (port ? [port] : []));
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(others.length === 0 ? {} : { notReadyAddresses: others }),
    ...(ports.length === 0
      ? {}
      : { ports: inOrderOf(ports, (port) => objectHash(types, 'core.v1.EndpointPort', port)) }),
  };
}

function inOrderOf(list: readonly JsonObject[], hashOf: (one: JsonObject) => bigint): readonly JsonObject[] {
  if (list.length < 2) return list;
  const hashed = list.map((one) => ({ one, hash: hashOf(one) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ one }) => one);
}
