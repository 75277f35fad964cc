import { asList, asObject, asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { isNearlyNamed, subresourceAsResource } from './near-miss.ts';
import type { Trace, TracedRequest, TracedWebhook } from '../trace/trace.ts';
import { ownValue } from '../../machinery/meta/object.ts';

interface HintContext {
  readonly webhook: TracedWebhook;
  readonly request: TracedRequest;
  /** As admission received it. */
  readonly object: JsonObject | undefined;
}

/** The hints for this webhook's outcome, the most specific first. */
export const hintsFor = (
  webhook: TracedWebhook,
  { request, objectReceived }: Pick<Trace, 'request' | 'objectReceived'>,
): readonly string[] => rules.flatMap((hint) => hint({ webhook, request, object: objectReceived ?? undefined }) ?? []);

const rules: readonly ((context: HintContext) => string | undefined)[] = [
  kindAsResource,
  groupOfSubresource,
  groupOfResource,
  parentOfSubresource,
  kindOfSubresource,
  nameOfResource,
  operationOfKubectl,
  scopeOfResource,
  selectorLooksElsewhere,
  nameLabel,
  onlyOtherNamespaces,
  namespaceLabels,
  labelOfNamespace,
  exactVersion,
  neverNamespaceObject,
  unguardedCondition,
];

const onlyPart = ({ reason }: TracedWebhook) =>
  reason?.because === 'no-rule-matched' && reason.nearest?.parts.length === 1 ? reason.nearest.parts[0] : undefined;

const fullName = ({ resource, subresource }: TracedRequest): string => `${resource}/${subresource}`;

/** Rules name the resource and subresource of the URL, not the kind that is sent. */
function kindAsResource({ webhook: { reason }, request }: HintContext): string | undefined {
  if (reason?.because !== 'no-rule-matched' || !reason.nearest) return undefined;
  if (!subresourceAsResource(reason.nearest.parts, request)) return undefined;
  return `a subresource is matched by its parent: write apiGroups: [${JSON.stringify(request.group)}] and resources: [${JSON.stringify(fullName(request))}]`;
}

/** Discovery lists deployments/scale as a kind of autoscaling; rules match the group of the parent. */
function groupOfSubresource({ webhook, request }: HintContext): string | undefined {
  const part = onlyPart(webhook);
  if (part?.part !== 'apiGroup' || request.subresource === '') return undefined;
  return `a subresource is matched under the group of its parent: write apiGroups: [${JSON.stringify(request.group)}] for ${fullName(request)}`;
}

/** The core group is "". */
function groupOfResource({ webhook, request }: HintContext): string | undefined {
  const part = onlyPart(webhook);
  if (part?.part !== 'apiGroup' || request.subresource !== '') return undefined;
  return `write apiGroups: [${JSON.stringify(request.group)}] for ${request.resource}`;
}

function parentOfSubresource({ webhook, request }: HintContext): string | undefined {
  const part = onlyPart(webhook);
  if (part?.part !== 'resource' || request.subresource === '') return undefined;
  const { resource } = request;
  const wanted = part.wants.find((one) => one === resource || one === '*');
  if (wanted === undefined) return undefined;
  return `a rule for ${wanted} does not cover subresources: add ${fullName(request)} to resources (or ${wanted}/* for all of them)`;
}

function kindOfSubresource({ webhook, request }: HintContext): string | undefined {
  if (webhook.matched === undefined || request.subresource === '') return undefined;
  const { group, version, kind } = asObject(webhook.matched['kind']);
  if (isNearlyNamed(asString(kind), request.resource)) return undefined;
  const name = [group, version]
    .map(asString)
    .filter((part) => part !== '')
    .join('/');
  return `for ${fullName(request)} the webhook receives kind ${name} ${asString(kind)}, not the ${request.resource.replace(/s$/, '')} itself`;
}

function nameOfResource({ webhook, request }: HintContext): string | undefined {
  const part = onlyPart(webhook);
  if (part?.part !== 'resource' || request.subresource !== '') return undefined;
  const { resource } = request;
  const near = part.wants.find((wanted) => wanted !== resource && isNearlyNamed(wanted, resource));
  return near === undefined ? undefined : `rules name resources as the URL does: ${resource}, not ${near}`;
}

function operationOfKubectl({ webhook }: HintContext): string | undefined {
  const part = onlyPart(webhook);
  if (part?.part !== 'operation' || part.has !== 'UPDATE') return undefined;
  return 'apply, edit, patch and scale of an object that exists are UPDATE';
}

function scopeOfResource({ webhook, request }: HintContext): string | undefined {
  const part = onlyPart(webhook);
  if (part?.part !== 'scope') return undefined;
  return `${request.resource} are ${part.has === 'Cluster' ? 'cluster-scoped' : 'namespaced'}: write scope: "*", or leave scope out`;
}

function selectorLooksElsewhere({ webhook: { reason }, request }: HintContext): string | undefined {
  if (reason?.because !== 'objectSelector' || request.subresource === '') return undefined;
  const [first] = reason.looked;
  // pods/status is a Pod; pods/eviction is not.
  if (first === undefined || isNearlyNamed(first.kind, request.resource)) return undefined;
  const parent = request.resource.replace(/s$/, '');
  return `for ${fullName(request)} objectSelector is tested on the ${first.kind} that was sent, not on the ${parent}, and such objects normally have no labels: remove objectSelector and check request.name in a matchCondition or in the webhook`;
}

const metadataName = 'kubernetes.io/metadata.name';

function nameLabel({ webhook: { reason, definition } }: HintContext): string | undefined {
  if (reason?.because !== 'namespaceSelector' || reason.labels['name'] !== undefined) return undefined;
  if (!selectorNeeds(definition).some(({ key }) => key === 'name')) return undefined;
  return `namespaces have no label "name" by default: use ${metadataName}, here ${reason.labels[metadataName] ?? reason.namespace}`;
}

function onlyOtherNamespaces({ webhook: { reason, definition } }: HintContext): string | undefined {
  if (reason?.because !== 'namespaceSelector') return undefined;
  const wanted = allowedNamespaces(definition);
  if (wanted.length === 0 || wanted.includes(reason.namespace)) return undefined;
  return `namespaceSelector limits this webhook to ${wanted.length === 1 ? 'namespace' : 'namespaces'} ${wanted.join(', ')}`;
}

/** At most one hint about the labels of the namespace. */
function namespaceLabels(context: HintContext): string | undefined {
  return namespaceItself(context) ?? labelOfObject(context) ?? missingKey(context);
}

function namespaceItself({ webhook: { reason, definition }, request }: HintContext): string | undefined {
  if (request.resource !== 'namespaces' || request.group !== '') return undefined;
  if (reason?.because !== 'namespaceSelector') return undefined;
  const which = ['create', 'update', 'patch'].includes(request.verb) && request.subresource === '' ? 'new' : 'stored';
  const [missing] = missingLabels(reason.labels, definition);
  const lacks = missing === undefined ? '' : `, which have no ${missing.key}`;
  return `for a Namespace, namespaceSelector is tested on the ${which} labels of that Namespace itself${lacks}`;
}

/** The object has the label, not the namespace. */
function labelOfObject({ webhook: { reason, definition }, object }: HintContext): string | undefined {
  if (reason?.because !== 'namespaceSelector') return undefined;
  const labels = asObject(valueAt(object, 'metadata', 'labels'));
  const unmetNeed = selectorNeeds(definition).find(({ key, value }) => {
    const isAnywhere = Object.hasOwn(reason.labels, key) || !Object.hasOwn(labels, key);
    return !isAnywhere && (value === '' || labels[key] === value);
  });
  if (unmetNeed === undefined) return undefined;
  const what = asString(object?.['kind']) || 'object';
  return `the ${what} itself has ${unmetNeed.key}=${asString(labels[unmetNeed.key])}: namespaceSelector matches the labels of the namespace, objectSelector those of the ${what}`;
}

/** The namespace has the label, not the object. */
function labelOfNamespace({ webhook: { reason, definition }, request, object }: HintContext): string | undefined {
  if (reason?.because !== 'objectSelector') return undefined;
  const { namespaceLabels = {}, looked } = reason;
  const missingLabel = requiredLabels(asObject(definition?.['objectSelector'])).find(({ key, value }) => {
    const isOnObject = looked.some(({ labels }) => labels !== null && Object.hasOwn(labels, key));
    const label = ownValue(namespaceLabels, key);
    return !isOnObject && label !== undefined && (value === '' || label === value);
  });
  if (missingLabel === undefined) return undefined;
  const what = asString(object?.['kind']) || 'object';
  return `namespace ${request.namespace} itself has ${missingLabel.key}=${namespaceLabels[missingLabel.key] ?? ''}: objectSelector matches the labels of the ${what}, namespaceSelector those of the namespace`;
}

function missingKey({ webhook: { reason, definition } }: HintContext): string | undefined {
  if (reason?.because !== 'namespaceSelector') return undefined;
  const [first] = missingLabels(reason.labels, definition).filter(({ key }) => key !== 'name');
  if (first === undefined || first.key === metadataName) return undefined;
  const { key, value } = first;
  return `namespace ${reason.namespace} has no label ${key}: kubectl label namespace ${reason.namespace} ${key}=${value}`;
}

/** A guard with `has(namespaceObject…)` would skip the webhook always. */
function neverNamespaceObject({ webhook }: HintContext): string | undefined {
  if (!missingKeyText(webhook).startsWith('namespaceObject')) return undefined;
  return 'only policies have namespaceObject, webhooks do not: use namespaceSelector, or request.namespace for the name';
}

/** The missing key of a failed condition, as in the expression; empty for none. */
function missingKeyText({ conditions = [] }: TracedWebhook): string {
  const failed = conditions.flatMap((one) => (one.result === 'error' ? [one] : []));
  const [missing = ''] = failed.flatMap(({ error, values }) =>
    error.startsWith('no such key')
      ? values.flatMap(({ expression, value }) => (value === error ? [expression] : []))
      : [],
  );
  return missing;
}

/** Suggests a guard with `== null`, `has` or `in` for a missing key. */
function unguardedCondition({ webhook, request: { verb } }: HintContext): string | undefined {
  const missing = missingKeyText(webhook);
  if (missing.startsWith('namespaceObject')) return undefined;
  const absent = verb.startsWith('delete') ? 'object' : verb === 'create' ? 'oldObject' : undefined;
  if (absent !== undefined && missing.startsWith(`${absent}.`))
    return `${absent} is null in a ${verb}: test ${absent} == null || … first`;
  const [, map = '', key = ''] = /^([\w.]+)\[("[^"]*")\]$/.exec(missing) ?? [];
  const guard = map !== '' ? `${key} in ${map}` : /^\w+(?:\.\w+)+$/.test(missing) ? `has(${missing})` : '';
  return guard === '' ? undefined : `${missing} may be missing: test it first, ${guard} && …`;
}

function exactVersion({ webhook, request }: HintContext): string | undefined {
  if (onlyPart(webhook)?.part !== 'apiVersion' || webhook.definition?.['matchPolicy'] !== 'Exact') return undefined;
  return `matchPolicy Exact matches only the version of the request (${request.version}): set Equivalent to match the others`;
}

type Definition = TracedWebhook['definition'];

/** Keys that the namespaceSelector requires and the namespace lacks. */
const missingLabels = (labels: Readonly<Record<string, string>>, definition: Definition) =>
  selectorNeeds(definition).filter(({ key }) => !Object.hasOwn(labels, key));

const selectorOf = (definition: Definition) => asObject(definition?.['namespaceSelector']);

const expressionsOf = (definition: Definition) => asList(selectorOf(definition)['matchExpressions']).map(asObject);

/** The labels that the selector requires, each with a matching value. */
const selectorNeeds = (definition: Definition): ReturnType<typeof requiredLabels> =>
  requiredLabels(selectorOf(definition));

const requiredLabels = (selector: JsonObject): readonly { readonly key: string; readonly value: string }[] => [
  ...Object.entries(asObject(selector['matchLabels'])).map(([key, value]) => ({
    key,
    value: asString(value),
  })),
  ...asList(selector['matchExpressions'])
    .map(asObject)
    .filter(({ operator }) => operator === 'In' || operator === 'Exists')
    .map(({ key, values }) => ({ key: asString(key), value: asString(asList(values)[0]) })),
];

/** The namespaces that a selector by name allows; empty for another selector. */
function allowedNamespaces(definition: Definition): readonly string[] {
  const label = asObject(selectorOf(definition)['matchLabels'])[metadataName];
  if (typeof label === 'string') return [label];
  const byName = expressionsOf(definition).find(({ key, operator }) => key === metadataName && operator === 'In');
  return asList(byName?.['values']).map(asString);
}
