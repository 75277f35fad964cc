import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  withValue,
} from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { webhookDefaults } from '../../../machinery/meta/webhook-fields.ts';
import { serverMetadata } from '../../../machinery/meta/object.ts';
import { isConfiguration } from '../known-webhooks.ts';

/** Without what the server, kubectl and defaults fill in. `isAnnotated`: the object had annotations, even if only kubectl's. */
export function plainObject(object: JsonObject, isAnnotated = false): JsonObject {
  const { apiVersion, kind, metadata, status: _status, ...others } = object;
  const { spec: _spec, ...withoutSpec } = others;
  const rest = kind === 'Namespace' ? withoutSpec : others;
  const about = { ...(apiVersion === undefined ? {} : { apiVersion }), ...(kind === undefined ? {} : { kind }) };
  const isKnown = defaulted.test(`${asString(apiVersion)} ${asString(kind)}`);
  return {
    ...about,
    metadata: plainMetadata(asObject(metadata), isAnnotated),
    ...(isKnown ? asObject(withoutDefaults(rest, isConfiguration(object) ? configurationDefaults : defaults)) : rest),
  };
}

/** Kinds whose defaults are known here; others keep all fields. */
const defaulted =
  /^(?:v1 (?:Pod|Service|ReplicationController)|apps\/v1 \w+|batch\/v1 \w+|admissionregistration\.k8s\.io\/v1 \w+WebhookConfiguration)$/;

function plainMetadata({ annotations, labels, ...rest }: JsonObject, isAnnotated: boolean): JsonObject {
  const left = Object.fromEntries(Object.entries(rest).filter(([field]) => !serverMetadata.has(field)));
  const named = asObject(labels);
  const own = Object.fromEntries(Object.entries(named).filter(([name]) => name !== 'kubernetes.io/metadata.name'));
  return {
    ...left,
    ...(Object.keys(own).length === 0 ? {} : { labels: own }),
    ...plainAnnotations(asObject(annotations), isAnnotated),
  };
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** kubectl's copy of the manifest is dropped, unless a webhook needs existing annotations to add to. */
function plainAnnotations(annotations: JsonObject, isAnnotated: boolean): JsonObject {
  const { [lastApplied]: copy, ...own } = annotations;
  if (Object.keys(own).length > 0) return { annotations: own };
  return isAnnotated && copy !== undefined ? { annotations: { [lastApplied]: '{}' } } : {};
}

/** Without kubectl's copy of the manifest and the recorded server's metadata. */
export function plainPatch(body: JsonObject): JsonObject {
  const metadata = body['metadata'];
  if (!isJsonObject(metadata)) return body;
  const { annotations, ...others } = metadata;
  const kept = Object.fromEntries(Object.entries(others).filter(([field]) => !serverMetadata.has(field)));
  const own = isJsonObject(annotations)
    ? plainAnnotations(annotations, false)
    : annotations === undefined
      ? {}
      : { annotations };
  const left = { ...kept, ...own };
  return withValue(body, ['metadata'], Object.keys(left).length === 0 ? undefined : left);
}

type Defaults = readonly (readonly [field: string, value: JsonValue | undefined])[];

const defaults: Defaults = [
  ['restartPolicy', 'Always'],
  ['dnsPolicy', 'ClusterFirst'],
  ['schedulerName', 'default-scheduler'],
  ['terminationGracePeriodSeconds', 30],
  ['securityContext', {}],
  ['resources', {}],
  ['enableServiceLinks', true],
  ['preemptionPolicy', 'PreemptLowerPriority'],
  ['priority', 0],
  ['serviceAccount', 'default'],
  ['serviceAccountName', 'default'],
  ['terminationMessagePath', '/dev/termination-log'],
  ['terminationMessagePolicy', 'File'],
  ['creationTimestamp', null],
  ['revisionHistoryLimit', 10],
  ['progressDeadlineSeconds', 600],
  ['strategy', { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } }],
  ['sessionAffinity', 'None'],
  ['internalTrafficPolicy', 'Cluster'],
];

/** Webhook configurations only: elsewhere these fields mean something else, such as namespaceSelector in a Pod's affinity. */
const configurationDefaults: Defaults = [['scope', '*'], ...Object.entries(webhookDefaults('mutating'))];

/** Addresses chosen by the server, and fields that follow from them. */
const serverChosenFields = new Set(['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'caBundle']);

function withoutDefaults(value: JsonValue | undefined, filledIn: Defaults): JsonValue {
  if (Array.isArray(value))
    return value
      .filter((item) => !isTokenVolume(item) && !isDefaultToleration(item))
      .map((item) => withoutDefaults(item, filledIn));
  if (!isJsonObject(value)) return value ?? null;
  const left = Object.entries(value).flatMap(([field, one]): readonly [string, JsonValue][] => {
    if (one === undefined || isFilledIn(field, one, value, filledIn)) return [];
    const inner = withoutDefaults(one, filledIn);
    const isEmptied = Array.isArray(inner) && inner.length === 0 && asList(one).length > 0;
    return isEmptied ? [] : [[field, inner]];
  });
  return Object.fromEntries(left);
}

function isFilledIn(
  field: string,
  value: JsonValue,
  { image, serviceAccountName }: JsonObject,
  filledIn: Defaults,
): boolean {
  if (field === 'serviceAccount' && value === serviceAccountName) return true;
  if (serverChosenFields.has(field)) return value !== 'None' && !sameJson(value, ['None']);
  if (field === 'imagePullPolicy') return value === (hasOwnTag(asString(image)) ? 'IfNotPresent' : 'Always');
  return filledIn.some(([name, standard]) => name === field && sameJson(standard, value));
}

function hasOwnTag(image: string): boolean {
  const [, ...tag] = image.slice(image.lastIndexOf('/') + 1).split(':');
  return image.includes('@') || !['', 'latest'].includes(tag.join(':'));
}

const isTokenVolume = (item: JsonValue): boolean =>
  /^kube-api-access-[a-z0-9]{5}$/.test(asString(asObject(item)['name']));

function isDefaultToleration(item: JsonValue): boolean {
  const { key, effect, operator, tolerationSeconds } = asObject(item);
  const isTaint = key === 'node.kubernetes.io/not-ready' || key === 'node.kubernetes.io/unreachable';
  return isTaint && effect === 'NoExecute' && operator === 'Exists' && tolerationSeconds === 300;
}
