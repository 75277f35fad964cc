import { asList, asObject, isJsonObject, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';

type Path = readonly string[];

const isImage = (volume: JsonValue): boolean => asObject(volume)['image'] !== undefined;

/** Has the pod spec at this path a volume that is an image? */
export const hasImageVolumes = (object: JsonObject, specPath: Path): boolean =>
  asList(valueAt(object, ...specPath, 'volumes')).some(isImage);

/** Without the volumes that are images and their mounts. Follows kubernetes pkg/api/pod/util.go dropImageVolumes. */
export function dropImageVolumes(object: KubernetesObject, specPath: Path): KubernetesObject {
  if (!hasImageVolumes(object, specPath)) return object;
  return { ...object, ...asObject(changedAt(object, specPath, withoutImages)) };
}

function withoutImages(spec: JsonObject): JsonObject {
  const volumes = asList(spec['volumes']);
  const gone = new Set(volumes.filter(isImage).map((volume) => asObject(volume)['name'] ?? ''));
  const lists = ['containers', 'initContainers', 'ephemeralContainers'].filter((list) => spec[list] !== undefined);
  const unmountedLists = lists.map((list) => [list, asList(spec[list]).map((one) => unmounted(one, gone))] as const);
  return withList(
    { ...spec, ...Object.fromEntries(unmountedLists) },
    'volumes',
    volumes.filter((volume) => !isImage(volume)),
  );
}

function unmounted(container: JsonValue, gone: ReadonlySet<JsonValue>): JsonValue {
  const { volumeMounts } = asObject(container);
  if (volumeMounts === undefined) return container;
  const kept = asList(volumeMounts).filter((mount) => !gone.has(asObject(mount)['name'] ?? ''));
  return withList(asObject(container), 'volumeMounts', kept);
}

/** An empty list is not there. */
function withList(object: JsonObject, field: string, list: readonly JsonValue[]): JsonObject {
  const { [field]: _before, ...rest } = object;
  return list.length === 0 ? rest : { ...object, [field]: list };
}

function changedAt(value: JsonValue, [field, ...rest]: Path, change: (spec: JsonObject) => JsonObject): JsonValue {
  if (!isJsonObject(value)) return value;
  if (field === undefined) return change(value);
  const inner = value[field];
  return inner === undefined ? value : { ...value, [field]: changedAt(inner, rest, change) };
}
