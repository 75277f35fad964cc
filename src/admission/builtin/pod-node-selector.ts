import { asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { forbidden, plainError } from '../../apimachinery/status.ts';
import type { BuiltinPlugin, PluginAnswer, PluginPorts } from '../plugin.ts';
import { forResource, pass, pods } from './handled-resource.ts';
import type { ObjectRequest } from './handled-resource.ts';

/** Node selectors by namespace, `a=b,c=d`; `clusterDefaultNodeSelector` is for namespaces without one of their own. */
export type NodeSelectors = ReadonlyMap<string, string>;

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
const conflicting = 'pod node label selector conflicts with its namespace node label selector';
const notListed = 'pod node label selector labels conflict with its namespace whitelist';

/**
 * Pods of a namespace go where the namespace wants them.
 * Follows kubernetes plugin/pkg/admission/podnodeselector/admission.go (rule PLG-27).
 */
export const createPodNodeSelector = (configured: NodeSelectors): BuiltinPlugin => ({
  name: 'PodNodeSelector',
  operations: ['CREATE'],
  mutate: forResource(pods, (request, ports) => {
    const merged = mergedSelector(request, ports, configured);
    if (!merged.ok) return merged;
    const { object } = request;
    if (Object.keys(merged.value).length === 0) return check(request, ports, configured);
    const spec = { ...asObject(object['spec']), nodeSelector: merged.value };
    return check({ ...request, object: { ...object, spec } }, ports, configured);
  }),
  validate: forResource(pods, (request, ports) => check(request, ports, configured)),
});

const selectorOf = ({ object }: ObjectRequest): JsonObject => asObject(asObject(object['spec'])['nodeSelector']);

const refused = ({ resource, object }: ObjectRequest, message: string): Result<never> =>
  refuse(forbidden(resource, metadataOf(object).name ?? '', message));

function mergedSelector(request: ObjectRequest, ports: PluginPorts, configured: NodeSelectors): Result<JsonObject> {
  const wanted = namespaceSelector(request, ports, configured);
  if (!wanted.ok) return wanted;
  const own = selectorOf(request);
  const isInConflict = Object.entries(wanted.value).some(
    ([key, value]) => Object.hasOwn(own, key) && own[key] !== value,
  );
  if (isInConflict) return refused(request, conflicting);
  const merged = Object.entries({ ...wanted.value, ...own }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return ok(Object.fromEntries(merged));
}

function check(request: ObjectRequest, ports: PluginPorts, configured: NodeSelectors): Result<PluginAnswer> {
  const merged = mergedSelector(request, ports, configured);
  if (!merged.ok) return merged;
  const allowed = readSelector(configured.get(request.namespace) ?? '');
  if (!allowed.ok) return allowed;
  const isFree = Object.keys(allowed.value).length === 0;
  const isListed = Object.entries(selectorOf(request)).every(([key, value]) => allowed.value[key] === value);
  return isFree || isListed ? pass(request) : refused(request, notListed);
}

/** The annotation of the namespace, else what is configured for all. */
function namespaceSelector(
  { namespace }: ObjectRequest,
  { cluster }: PluginPorts,
  configured: NodeSelectors,
): Result<JsonObject> {
  const stored = cluster.get({ group: '', resource: 'namespaces' }, '', namespace);
  const own = stored === undefined ? undefined : metadataOf(stored).annotations?.[annotation];
  return readSelector(own ?? configured.get('clusterDefaultNodeSelector') ?? '');
}

/** Follows apimachinery pkg/labels/labels.go ConvertSelectorToLabelsMap. */
function readSelector(text: string): Result<JsonObject> {
  if (text === '') return ok({});
  const pairs = text.split(',').map((pair) => pair.split('='));
  const wrong = pairs.find(({ length }) => length !== 2);
  if (wrong !== undefined) return refuse(plainError(`invalid selector: [${wrong.join(' ')}]`));
  return ok(Object.fromEntries(pairs.map(([key, value]) => [asString(key).trim(), asString(value).trim()])));
}
