import type { Namespace, Pod, Toleration } from '../../../api/types/generated/core-v1.ts';
import { asList, asObject, isList, type JsonValue } from '../../../machinery/json/json.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { plainError } from '../../../machinery/meta/status.ts';
import { computeQosClass } from '../../../api/validation/core/pod-resources.ts';
import type { SyncPlugin, PluginAnswer, PluginPorts, RefusalSource } from '../chain/plugin.ts';
import { byFile, refuseBecauseOf } from '../chain/refusal.ts';
import { forResource, type ObjectRequest, pass, podResource } from './handled-resource.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';

/** Default tolerations and the whitelist; an empty whitelist allows all. */
export interface PodTolerations {
  readonly default: readonly Toleration[];
  readonly whitelist: readonly Toleration[];
}

const prefix = 'scheduler.alpha.kubernetes.io/';
const notListed = (scope: 'cluster' | 'namespace'): string =>
  `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;
const memoryPressure = { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' } as const;

/**
 * Merges the namespace's tolerations and enforces its whitelist. Follows kubernetes
 * plugin/pkg/admission/podtolerationrestriction/admission.go (rule PLG-27).
 */
export const createPodTolerationRestriction = (configured: PodTolerations): SyncPlugin => ({
  name: 'PodTolerationRestriction',
  operations: ['CREATE', 'UPDATE'],
  mutate: forResource(podResource, (request, ports) => {
    const wanted = mergeNamespaceTolerations(request, ports, configured);
    if (!wanted.ok)
      return refuseBecauseOf(request, wanted.status, byAnnotation('defaultTolerations', request.namespace));
    const { object } = request;
    const spec = asObject(object.spec);
    if (wanted.value.length === 0) return check(request, ports, configured);
    const tolerant = { ...spec, tolerations: wanted.value };
    return check({ ...request, object: { ...object, spec: tolerant } }, ports, configured);
  }),
  validate: forResource(podResource, (request, ports) => check(request, ports, configured)),
});

const tolerationsOf = ({ object }: ObjectRequest<Pod>): readonly Toleration[] =>
  asList(asObject(object.spec).tolerations);

/** The namespace's defaults, and Kubernetes' own for a Pod that requests resources. */
function mergeNamespaceTolerations(
  request: ObjectRequest<Pod>,
  ports: PluginPorts,
  configured: PodTolerations,
): Result<readonly Toleration[]> {
  const own = tolerationsOf(request);
  const added = request.operation === 'CREATE' ? readAnnotation('defaultTolerations', request, ports) : ok([]);
  if (!added.ok) return added;
  const wanted = request.operation === 'CREATE' ? (added.value ?? configured.default) : [];
  const isBestEffort = computeQosClass(asObject(request.object.spec)) === 'BestEffort';
  const extra = isBestEffort ? wanted : [...wanted, memoryPressure];
  return ok(extra.length === 0 ? own : mergeTolerations(own, extra));
}

const limit = { refused: 'spec.tolerations', allowed: 'what is listed there' };
const byWhitelist = byFile('whitelist of PodTolerationRestriction', limit);

const byAnnotation = (name: string, namespace: string): RefusalSource => ({
  kind: 'Namespace',
  namespace: '',
  name: namespace,
  field: `annotation ${prefix}${name}`,
  ...limit,
});

function check(request: ObjectRequest<Pod>, ports: PluginPorts, configured: PodTolerations): Result<PluginAnswer> {
  const tolerations = tolerationsOf(request);
  if (tolerations.length === 0) return pass(request);
  const listed = readAnnotation('tolerationsWhitelist', request, ports);
  const byNamespace = byAnnotation('tolerationsWhitelist', request.namespace);
  if (!listed.ok) return refuseBecauseOf(request, listed.status, byNamespace);
  const allowed = listed.value ?? configured.whitelist;
  const isAllowed = (toleration: Toleration): boolean => allowed.some((one) => covers(one, toleration));
  if (allowed.length === 0 || tolerations.every(isAllowed)) return pass(request);
  return listed.value
    ? refuseBecauseOf(request, plainError(notListed('namespace')), byNamespace)
    : refuseBecauseOf(request, plainError(notListed('cluster')), byWhitelist);
}

/** undefined without the annotation. */
function readAnnotation(
  name: string,
  { namespace }: ObjectRequest<Pod>,
  { cluster }: PluginPorts,
): Result<readonly Toleration[] | undefined> {
  const stored: Namespace | undefined = cluster.get({ group: '', resource: 'namespaces' }, '', namespace);
  const emptyIfUnset = stored === undefined ? undefined : metadataOf(stored).annotations?.[prefix + name];
  if (emptyIfUnset === undefined) return ok(undefined);
  if (emptyIfUnset === '') return ok([]);
  const reading = readJson(emptyIfUnset);
  if (reading.outcome === 'unreadable') return refuse(plainError(reading.error));
  const value = plainValue(reading.json.value);
  if (value === null) return ok([]);
  if (isList(value)) return ok(value.map(asObject));
  const what = typeof value === 'object' ? 'object' : typeof value === 'boolean' ? 'bool' : typeof value;
  return refuse(plainError(`json: cannot unmarshal ${what} into Go value of type []v1.Toleration`));
}

/**
 * Drops tolerations that another one covers. Follows kubernetes pkg/util/tolerations/tolerations.go MergeTolerations.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const isCoveredLater = all
      .slice(index + 1)
      .some((later) => !sameJson(later, toleration) && covers(later, toleration));
    if (!isCoveredLater && !merged.some((kept) => covers(kept, toleration))) merged.push(toleration);
  }
  return merged;
}

/** A toleration without key or effect covers all of them. */
export const covers = (wide: Toleration, narrow: Toleration): boolean =>
  sameJson(wide, narrow) ||
  (coversKey(wide, narrow) && coversEffect(wide, narrow) && coversTime(wide, narrow) && coversValue(wide, narrow));

const coversKey = (wide: Toleration, narrow: Toleration): boolean =>
  orEmpty(wide.key) === orEmpty(narrow.key) || (orEmpty(wide.key) === '' && wide.operator === 'Exists');

const coversEffect = (wide: Toleration, narrow: Toleration): boolean =>
  orEmpty(wide.effect) === '' || wide.effect === narrow.effect;

function coversTime({ effect, tolerationSeconds: long }: Toleration, { tolerationSeconds: short }: Toleration) {
  if (effect !== 'NoExecute' || typeof long !== 'number') return true;
  return typeof short === 'number' && short <= long;
}

function coversValue({ operator, value }: Toleration, narrow: Toleration): boolean {
  if (operator === 'Exists') return true;
  const isEqual = orEmpty(operator) === '' || operator === 'Equal';
  return isEqual && narrow.operator === 'Equal' && orEmpty(narrow.value) === orEmpty(value);
}

const orEmpty = (value: JsonValue | undefined): JsonValue => value ?? '';
