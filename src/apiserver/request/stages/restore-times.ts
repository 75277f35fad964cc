import type { Codec } from '../../../api/codec/codec.ts';
import { changed, held } from '../exchange.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { Stage } from '../stage.ts';

/**
 * A write that changes only managedFields times keeps the old ones. Follows apiserver
 * pkg/endpoints/handlers/fieldmanager/equality.go and pkg/registry/generic/registry/store.go Update.
 */
export const restoreTimes: Stage = {
  name: 'restore-times',
  run: async (exchange) => {
    const { object, current } = exchange;
    if (!object || !current) return ok(exchange);
    const restored = timed(object, current.view, held(exchange.target, 'target').codec);
    return ok(restored === object ? exchange : changed(exchange, { object: restored }));
  },
};

const timed = (object: KubernetesObject, old: KubernetesObject, { stored }: Codec): KubernetesObject =>
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
