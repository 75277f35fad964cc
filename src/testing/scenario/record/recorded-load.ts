import { asList, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { decidesAboutWrites, isPolicy } from '../known-webhooks.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { plainObject } from './plain-object.ts';
import { isNear } from './recorded-expectation.ts';
import { addsAnnotation, decisionsOf, webhooksOf } from './recorded-calls.ts';

/** What is there before the first step, as a scenario writes it. */
export interface RecordedLoad {
  /** Labels by the names of namespaces. */
  readonly namespaces: JsonObject;
  readonly definitions: readonly JsonObject[];
  readonly objects: readonly JsonObject[];
  readonly configurations: readonly JsonObject[];
}

/** Sorts what was there (storedBefore), leaves out what every server has, and the configurations that no write concerned. */
export function loadOf(stored: readonly JsonObject[], writes: readonly Trace[]): RecordedLoad {
  const concerned = new Set(writes.flatMap(concernedBy));
  const short = stored.filter(isShortNamespace);
  return {
    namespaces: Object.fromEntries(short.filter((one) => !isSeeded(one)).map((one) => [nameOf(one), labelsOf(one)])),
    definitions: stored.filter(isDefinition).map((one) => plainObject(one)),
    objects: stored
      .filter(
        (one) =>
          !isShortNamespace(one) && !isDefinition(one) && !isConfiguration(one) && !isPolicy(one) && !isStatic(one),
      )
      .map((one) => plainObject(one, isAnnotated(one, writes)))
      // Pods need what they name.
      .toSorted((a, b) => Number(a['kind'] === 'Pod') - Number(b['kind'] === 'Pod')),
    configurations: stored
      .filter((one) => isConcerned(one, concerned) || (decides(one) && isWritten(one, writes)))
      .map((one) => plainObject(one))
      .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  };
}

const nameOf = (object: JsonObject): string => asString(valueAt(object, 'metadata', 'name'));

const isDefinition = ({ kind }: JsonObject): boolean => kind === 'CustomResourceDefinition';

const isConfiguration = ({ kind }: JsonObject): boolean => asString(kind).endsWith('WebhookConfiguration');

const decides = (object: JsonObject): boolean => isConfiguration(object) || isPolicy(object);

/** A binding is concerned when its policy is. */
function isConcerned(object: JsonObject, concerned: ReadonlySet<string>): boolean {
  if (!isPolicy(object)) return isConfiguration(object) && concerned.has(nameOf(object));
  return concerned.has(`policy/${asString(valueAt(object, 'spec', 'policyName')) || nameOf(object)}`);
}

/** The configurations of webhooks that were called, or might have been, and the policies that had a turn. */
const concernedBy = (write: Trace): readonly string[] => [
  ...webhooksOf(write)
    .filter(isNear)
    .map(({ configuration }) => configuration),
  ...decisionsOf(write).flatMap(({ type, name, outcome }) =>
    type === 'policy' && outcome !== 'skipped' ? [`policy/${name}`] : [],
  ),
];

const isWritten = (object: JsonObject, writes: readonly Trace[]): boolean =>
  writes.some(({ request }) => decidesAboutWrites(request.resource) && request.name === nameOf(object));

const isAnnotated = (object: JsonObject, writes: readonly Trace[]): boolean =>
  writes.some((write) => write.request.name === nameOf(object) && addsAnnotation(write));

/** Without more than labels. */
function isShortNamespace(object: JsonObject): boolean {
  if (object['kind'] !== 'Namespace') return false;
  return valueAt(plainObject(object), 'metadata', 'annotations') === undefined;
}

const seeded = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

const isSeeded = (namespace: JsonObject): boolean =>
  seeded.has(nameOf(namespace)) && Object.keys(labelsOf(namespace)).length === 0;

function labelsOf(namespace: JsonObject): JsonObject {
  const labels = asObject(valueAt(namespace, 'metadata', 'labels'));
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== 'kubernetes.io/metadata.name'));
}

/** A Pod of the kubelet's own cannot be made. */
const isStatic = (object: JsonObject): boolean =>
  object['kind'] === 'Pod' &&
  asList(valueAt(object, 'metadata', 'ownerReferences')).some((one) => asObject(one)['kind'] === 'Node');
