import { apiVersionOf } from '../../apimachinery/gvk.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { internalError, notFound } from '../../apimachinery/status.ts';
import type { ResourceInfo } from '../../schema/catalogue/catalogue.ts';
import type { StoreKey } from '../../store/store.ts';
import { held } from '../exchange.ts';
import type { Current, Exchange, Target } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';

/** The stored object that the URL names; 404 when there is none, unless the write may create it. */
export const loadCurrent = (rooms: Rooms, mayCreate: (exchange: Exchange) => boolean): Stage => ({
  name: 'load-current',
  run: async (exchange) => {
    const target = held(exchange.target, 'target');
    const current = await readCurrent(rooms, target);
    if (!current.ok) return current;
    if (current.value === null && !mayCreate(exchange)) {
      return refuse(notFound(target.resource, target.info.name));
    }
    return ok({ ...exchange, current: current.value });
  },
});

/** The stored object and how the request's version shows it; null when nothing is stored. */
export async function readCurrent(rooms: Rooms, target: Target): Promise<Result<Current | null>> {
  const stored = await rooms.store.read(keyOf(target, target.info.name));
  if (!stored) return ok(null);
  const view = inVersion(rooms, stored.object, viewKindOf(target.resource));
  return view.ok ? ok({ ...stored, view: view.value }) : view;
}

export const keyOf = ({ resource, info }: Target, name: string): StoreKey => ({
  resource: resource.storage,
  namespace: resource.namespaced ? info.namespace : '',
  name,
});

/** The kind in which a request sees the stored object: that of its version, whatever the subresource's own kind is. */
export function viewKindOf(resource: ResourceInfo): GroupVersionKind {
  const { group, version, storage } = resource;
  return { group, version, kind: storage.kind };
}

/** The object in another version of its kind. */
export function inVersion(
  rooms: Pick<Rooms, 'codec'>,
  object: KubernetesObject,
  kind: GroupVersionKind,
): Result<KubernetesObject> {
  if (object.kind === kind.kind && object.apiVersion === apiVersionOf(kind)) return ok(object);
  const converted = rooms.codec.convert(object, kind);
  return converted.outcome === 'converted' ? ok(converted.object) : refuse(internalError(converted.error));
}
