import type { Codec } from '../../../api/codec/codec.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { withParts, type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';
import { isApplyPatch } from './read-options.ts';

/** Runs before admission: changes of webhooks have no owner (rule MUT-40). */
export const trackManagedFields = (deps: HandlerDeps): Stage => ({
  name: 'track-managed-fields',
  run: async (exchange) => {
    if (isApplyPatch(exchange)) return ok(exchange); // The apply itself has recorded them.
    const { fields, resource } = requirePart(exchange.target, 'target');
    const object = await fields.update({
      live: exchange.current?.view ?? null,
      object: objectOf(exchange),
      manager: managerOf(exchange),
      subresource: resource.subresource,
      now: deps.clock.now(),
    });
    return ok(withParts(exchange, { object }));
  },
});

/**
 * `fieldManager`, else the first word of the User-Agent. Follows apiserver pkg/endpoints/handlers/create.go
 * managerOrUserAgent.
 */
export function managerOf({ options, request }: Exchange): string {
  if (options.fieldManager !== '') return options.fieldManager;
  const agent = request.headers['user-agent'];
  const text = typeof agent === 'string' ? agent : '';
  return (text.split('/')[0] ?? '').replaceAll(unprintable, '').slice(0, 128);
}

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * A write that changes only managedFields times keeps the old ones. Follows apiserver
 * pkg/endpoints/handlers/fieldmanager/equality.go and pkg/registry/generic/registry/store.go Update.
 */
export const restoreTimes: Stage = {
  name: 'restore-times',
  run: async (exchange) => {
    const { object, current } = exchange;
    if (!object || !current) return ok(exchange);
    const restored = restoreManagedFieldsTimes(object, current.view, requirePart(exchange.target, 'target').codec);
    return ok(restored === object ? exchange : withParts(exchange, { object: restored }));
  },
};

const restoreManagedFieldsTimes = (
  object: KubernetesObject,
  old: KubernetesObject,
  { stored }: Codec,
): KubernetesObject =>
  hasOnlyNewTimes(stored(object), old)
    ? withMetadata(object, { managedFields: metadataOf(old).managedFields })
    : object;

function hasOnlyNewTimes(object: KubernetesObject, old: KubernetesObject): boolean {
  const [now, before] = [managersOf(object), managersOf(old)];
  if (now.length !== before.length) return false;
  if (now.every((entry, index) => entry['time'] === before[index]?.['time'])) return false;
  const isSame = now.every((entry, index) => semanticEqual(untimed(entry), untimed(before[index] ?? {})));
  return isSame && semanticEqual(unmanaged(object), unmanaged(old));
}

const managersOf = (object: KubernetesObject): readonly JsonObject[] => metadataOf(object).managedFields ?? [];

const untimed = ({ time: _time, ...entry }: JsonObject): JsonObject => entry;

const unmanaged = (object: KubernetesObject): KubernetesObject => withMetadata(object, { managedFields: undefined });
