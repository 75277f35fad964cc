import { ConfigError } from '../../../../adapters/config/config-error.ts';
import { plainValue, readJson } from '../../../../machinery/json/json-reader.ts';
import { writeJson } from '../../../../machinery/json/json-writer.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../../../machinery/json/json.ts';
import { parseApiVersion } from '../../../../machinery/meta/gvk.ts';
import { asKubernetesObject, type KubernetesObject, metadataOf } from '../../../../machinery/meta/object.ts';
import { readYaml } from '../../../../machinery/yaml/read-yaml.ts';
import { documentsIn, type DocumentText } from './documents.ts';
import type { ChangeOutcome, ChangeTarget } from './put-change.ts';

/**
 * Reads what `kwokctl snapshot record` writes (objects, then ResourcePatches of action.kwok.x-k8s.io/v1alpha1) or events of `kubectl get
 * --watch --output-watch-events -o json`. Rejects with ConfigError, which names the document.
 */
export async function* readRecording(file: string): AsyncGenerator<ChangeOutcome> {
  const readEvent = createEventReader();
  for await (const document of documentsIn(file)) {
    const place = `${file}, document ${document.number}`;
    const value = parseDocument(document, place);
    if (value === null) continue;
    if (!isJsonObject(value)) throw new ConfigError(`${place}: no object`);
    if (isResourcePatch(value)) yield resourcePatch(value, place);
    else if (isEvent(value)) yield* readEvent(value, place);
    else if (value['kind'] === 'List')
      for (const item of asList(value['items'])) yield { type: 'object', object: parseObject(item, place) };
    else yield { type: 'object', object: parseObject(value, place) };
  }
}

function parseDocument({ format, text }: DocumentText, place: string): JsonValue {
  if (format === 'yaml') {
    const reading = readYaml(text);
    if (reading.outcome === 'unreadable') throw new ConfigError(`${place}: ${reading.error}`);
    return plainValue(reading.value);
  }
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') throw new ConfigError(`${place}: ${reading.error}`);
  return plainValue(reading.json.value);
}

function parseObject(value: JsonValue, place: string): KubernetesObject {
  const object = asKubernetesObject(value);
  if (object) return object;
  throw new ConfigError(
    `${place}: neither a ResourcePatch, nor an event of a watch, nor an object with apiVersion and kind`,
  );
}

const isResourcePatch = ({ apiVersion, kind }: JsonObject): boolean =>
  kind === 'ResourcePatch' && asString(apiVersion).startsWith('action.kwok.x-k8s.io/');

const nanosecondsPerMs = 1_000_000;

/** `Number` throws for an object without a prototype. */
const millisecondsOf = (value: JsonValue): number =>
  typeof value === 'object' ? NaN : Number(value) / nanosecondsPerMs;

/** Follows kwok pkg/apis/action/v1alpha1 ResourcePatch: `durationNanosecond` since the first, `template` the object or its patch. */
function resourcePatch(value: JsonObject, place: string): ChangeOutcome {
  const { durationNanosecond, method, template } = value;
  const { group, version, resource } = asObject(value['resource']);
  const { name, namespace } = asObject(value['target']);
  const target: ChangeTarget = {
    group: asString(group),
    version: asString(version),
    resource: asString(resource),
    namespace: asString(namespace),
    name: asString(name),
  };
  if (target.version === '' || target.resource === '' || target.name === '')
    throw new ConfigError(
      `${place}: a ResourcePatch without the version and name of its resource, or the name of its target`,
    );
  const at = millisecondsOf(durationNanosecond ?? 0);
  if (!Number.isFinite(at)) throw new ConfigError(`${place}: durationNanosecond is no number`);
  if (method === 'delete') return { type: 'change', change: { at, target, act: 'remove' } };
  if (method === 'create')
    return { type: 'change', change: { at, target, act: 'put', object: parseObject(template ?? null, place) } };
  if (method !== 'patch')
    throw new ConfigError(`${place}: method ${writeJson(method ?? null)} is neither create nor patch nor delete`);
  if (!isJsonObject(template)) throw new ConfigError(`${place}: a patch without its template`);
  return { type: 'change', change: { at, target, act: 'patch', patch: template } };
}

const isEvent = ({ type, object }: JsonObject): boolean => typeof type === 'string' && isJsonObject(object);

/**
 * Objects added before any other event existed when the watch began. An event's time is that of its object, and never before the previous
 * event.
 */
function createEventReader(): (event: JsonObject, place: string) => readonly ChangeOutcome[] {
  let hasBegun = false;
  let latest = 0;
  const momentOf = createChangeClock();
  return ({ type, object: shown }, place) => {
    if (type === 'BOOKMARK') {
      hasBegun = true;
      return [];
    }
    if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
      throw new ConfigError(`${place}: an event of type ${JSON.stringify(type)}`);
    const object = parseObject(shown ?? null, place);
    if (type === 'ADDED' && !hasBegun) {
      latest = Math.max(latest, newestTime(object) ?? 0);
      return [{ type: 'object', object }];
    }
    hasBegun = true;
    const about = { at: momentOf(newestTime(object), latest), target: objectTarget(object) };
    return [
      { type: 'change', change: type === 'DELETED' ? { ...about, act: 'remove' } : { ...about, act: 'put', object } },
    ];
  };
}

/** Milliseconds since the first change. `latest` is the newest time before it. */
function createChangeClock(): (written: number | undefined, latest: number) => number {
  let begin: number | undefined;
  let last = 0;
  return (written, latest) => {
    begin ??= Math.max(latest, written ?? latest);
    last = Math.max(last, (written ?? begin) - begin);
    return last;
  };
}

function objectTarget(object: KubernetesObject): ChangeTarget {
  const { name = '', namespace = '' } = metadataOf(object);
  return { ...parseApiVersion(object.apiVersion), kind: object.kind, namespace, name };
}

const timePaths: readonly (readonly string[])[] = [
  ['metadata', 'creationTimestamp'],
  ['spec', 'renewTime'],
  ['status', 'startTime'],
  ['lastTimestamp'],
  ['eventTime'],
];

/**
 * The newest time in an object: events of a watch have none. Milliseconds since 1970; undefined without a time. managedFields are the most
 * precise; kubectl shows them with --show-managed-fields only.
 */
function newestTime(object: KubernetesObject): number | undefined {
  const managers = asList(valueAt(object, 'metadata', 'managedFields')).map((one) => asObject(one)['time']);
  const conditions = asList(valueAt(object, 'status', 'conditions'))
    .map(asObject)
    .flatMap(({ lastTransitionTime, lastUpdateTime, lastHeartbeatTime }) => [
      lastTransitionTime,
      lastUpdateTime,
      lastHeartbeatTime,
    ]);
  const all = [...timePaths.map((path) => valueAt(object, ...path)), ...managers, ...conditions];
  const times = [...all.map((time) => Date.parse(asString(time))), deletionTime(object)].filter(
    (time) => !Number.isNaN(time),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

/** deletionTimestamp includes the grace period. */
const deletionTime = (object: KubernetesObject): number =>
  Date.parse(asString(valueAt(object, 'metadata', 'deletionTimestamp'))) -
  Number(valueAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0) * 1000;
