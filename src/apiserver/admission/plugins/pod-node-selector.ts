import { byKey, trimSpace } from '../../../machinery/go/strings.ts';
import type { Namespace, Pod } from '../../../api/types/generated/core-v1.ts';
import { fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { labelValueErrors, qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { forbidden, plainError } from '../../../machinery/meta/status.ts';
import type { SyncPlugin, PluginAnswer, PluginPorts, RefusalSource } from '../chain/plugin.ts';
import { byFile, byObject, refuseBecauseOf } from '../chain/refusal.ts';
import { forResource, type ObjectRequest, pass, podResource } from './handled-resource.ts';

/** `a=b,c=d` by namespace; `clusterDefaultNodeSelector` for the others. */
export type NodeSelectors = ReadonlyMap<string, string>;

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const conflicting = 'pod node label selector conflicts with its namespace node label selector';
const notListed = 'pod node label selector labels conflict with its namespace whitelist';

/**
 * Merges the namespace's node selector into its Pods. Follows kubernetes
 * plugin/pkg/admission/podnodeselector/admission.go (rule PLG-27).
 */
export const createPodNodeSelector = (configured: NodeSelectors): SyncPlugin => ({
  name: 'PodNodeSelector',
  operations: ['CREATE'],
  mutate: forResource(podResource, (request, ports) => {
    const { refusal, selector: nodeSelector = {} } = mergeSelectors(
      request,
      findNamespaceSelector(request, ports, configured),
    );
    if (refusal) return refusal;
    const { object } = request;
    if (Object.keys(nodeSelector).length === 0) return check(request, ports, configured);
    const spec = { ...asObject(object.spec), nodeSelector };
    return check({ ...request, object: { ...object, spec } }, ports, configured);
  }),
  validate: forResource(podResource, (request, ports) => check(request, ports, configured)),
});

type Selector = Readonly<Record<string, string>>;

const selectorOf = ({ object }: ObjectRequest<Pod>): Selector => asObject(object.spec).nodeSelector ?? {};

const refusePod = (request: ObjectRequest<Pod>, message: string, source: RefusalSource): Result<PluginAnswer> =>
  refuseBecauseOf(request, forbidden(request.resource, metadataOf(request.object).name ?? '', message), source);

const limit = (selector: string) => ({ refused: 'spec.nodeSelector', allowed: selector }) as const;

interface NamespaceSelector {
  readonly selector: string;
  readonly source: RefusalSource;
}

interface MergedSelector {
  readonly refusal?: Result<PluginAnswer>;
  readonly selector?: Selector;
}

function mergeSelectors(request: ObjectRequest<Pod>, { selector, source }: NamespaceSelector): MergedSelector {
  const wanted = readSelector(selector);
  if (!wanted.ok) return { refusal: refuseBecauseOf(request, wanted.status, source) };
  const own = selectorOf(request);
  const isInConflict = Object.entries(wanted.value).some(
    ([key, value]) => Object.hasOwn(own, key) && own[key] !== value,
  );
  if (isInConflict) return { refusal: refusePod(request, conflicting, source) };
  const merged = Object.entries({ ...wanted.value, ...own }).toSorted(byKey);
  return { selector: Object.fromEntries(merged) };
}

function check(request: ObjectRequest<Pod>, ports: PluginPorts, configured: NodeSelectors): Result<PluginAnswer> {
  const merged = mergeSelectors(request, findNamespaceSelector(request, ports, configured));
  if (merged.refusal) return merged.refusal;
  const list = configured.get(request.namespace) ?? '';
  const source = byFile(`podNodeSelectorPluginConfig.${request.namespace} of PodNodeSelector`, limit(list));
  const allowed = readSelector(list);
  if (!allowed.ok) return refuseBecauseOf(request, allowed.status, source);
  const isFree = Object.keys(allowed.value).length === 0;
  const isListed = Object.entries(selectorOf(request)).every(([key, value]) => allowed.value[key] === value);
  return isFree || isListed ? pass(request) : refusePod(request, notListed, source);
}

/** The namespace's annotation, else the configured default. */
function findNamespaceSelector(
  { namespace }: ObjectRequest<Pod>,
  { cluster }: PluginPorts,
  configured: NodeSelectors,
): NamespaceSelector {
  const stored: Namespace | undefined = cluster.get({ group: '', resource: 'namespaces' }, '', namespace);
  const own = stored === undefined ? undefined : metadataOf(stored).annotations?.[annotation];
  if (stored && own !== undefined) {
    return {
      selector: own,
      source: byObject(stored, `annotation ${annotation}`, limit(own)),
    };
  }
  const selector = configured.get('clusterDefaultNodeSelector') ?? '';
  const field = 'podNodeSelectorPluginConfig.clusterDefaultNodeSelector of PodNodeSelector';
  return { selector, source: byFile(field, limit(selector)) };
}

function readSelector(text: string): Result<Selector> {
  if (text === '') return ok({});
  const pairs = text.split(',').map((pair) => pair.split('='));
  const wrong = pairs.find(({ length }) => length !== 2);
  if (wrong !== undefined) return refuse(plainError(`invalid selector: [${wrong.join(' ')}]`));
  const labels = pairs.map(([key, value]) => [trimSpace(asString(key)), trimSpace(asString(value))] as const);
  const fault = labels.map(labelFault).find((one) => one !== undefined);
  return fault === undefined ? ok(Object.fromEntries(labels)) : refuse(plainError(fault));
}

/** Upstream prints an empty field name. */
function labelFault([key, value]: readonly [key: string, value: string]): string | undefined {
  const [ofKey, ofValue] = [qualifiedNameErrors(key), labelValueErrors(value)];
  if (ofKey.length > 0) return fieldErrorText(invalidValue('<nil>', key, ofKey.join('; ')));
  return ofValue.length === 0 ? undefined : fieldErrorText(invalidValue(`[${key}]`, value, ofValue.join('; ')));
}
