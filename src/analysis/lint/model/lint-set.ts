import {
  type AdmissionPolicy,
  type Binding,
  bindingOf,
  policyOf,
} from '../../../apiserver/admission/policies/policy.ts';
import { type AdmissionWebhook, webhooksOf } from '../../../apiserver/admission/webhooks/read-webhooks.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { formerWebhookDefaults } from '../../../machinery/meta/webhook-fields.ts';
import type { LintObject, ValuePath } from './lint-object.ts';
import { matchedRequests, type MatchedRequest, type ServedRows, servedRows } from './served-rows.ts';

export interface LintHook {
  readonly at: LintObject;
  readonly phase: 'mutating' | 'validating';
  readonly webhook: AdmissionWebhook;
  /** `['webhooks', 0]`. */
  readonly path: ValuePath;
  /** Kinds of requests that its rules match. */
  readonly seen: readonly MatchedRequest[];
  /** Its Service in the cluster; undefined: an external server. */
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number } | undefined;
}

export interface LintPolicy {
  readonly at: LintObject;
  readonly policy: AdmissionPolicy;
  readonly seen: readonly MatchedRequest[];
}

export interface LintBinding {
  readonly at: LintObject;
  readonly binding: Binding;
}

export interface LintSet extends ServedRows {
  readonly objects: readonly LintObject[];
  /** In call order: configurations by name. */
  readonly hooks: readonly LintHook[];
  readonly policies: readonly LintPolicy[];
  readonly bindings: readonly LintBinding[];
  /** Whether the set is complete, as on a server: then a missing object does not exist. */
  readonly isWhole: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function createLintSet(objects: readonly LintObject[], options: Pick<LintSet, 'isWhole' | 'now'>): LintSet {
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ object }) => object);
  const rows = servedRows(definitions);
  const aggregated = new Set(objects.flatMap(aggregatedGroup));
  const mayServe = (group: string): boolean => !options.isWhole || aggregated.has(group);
  const seenAs = new Map<string, readonly MatchedRequest[]>();
  const seen = (rules: AdmissionWebhook['rules']): readonly MatchedRequest[] => {
    const key = JSON.stringify(rules);
    const known = seenAs.get(key) ?? matchedRequests(rules, { rows, mayServe });
    seenAs.set(key, known);
    return known;
  };
  const ofKind = (suffix: string): readonly LintObject[] =>
    objects.filter((one) => isRegistration(one) && one.kind.endsWith(suffix));
  return {
    ...options,
    objects,
    rows,
    mayServe,
    hooks: ofKind('WebhookConfiguration')
      .toSorted((one, other) => Number(one.name > other.name) - Number(one.name < other.name))
      .flatMap((at) =>
        webhooksOf(configurationWithDefaults(at.object)).map((webhook, index) =>
          createLintHook(at, webhook, index, seen(webhook.rules)),
        ),
      ),
    policies: ofKind('AdmissionPolicy').map((at) => {
      const policy = policyOf(policyWithDefaults(at.object));
      return { at, policy, seen: seen(policy.match.resourceRules) };
    }),
    bindings: ofKind('AdmissionPolicyBinding').map((at) => ({ at, binding: bindingOf(policyWithDefaults(at.object)) })),
  };
}

/** Groups of aggregated API servers, whose resources are unknown. */
function aggregatedGroup({ kind, object }: LintObject): readonly string[] {
  const { service, group } = asObject(object['spec']);
  return kind === 'APIService' && isJsonObject(service) ? [asString(group)] : [];
}

const isRegistration = ({ object }: LintObject): boolean =>
  asString(object['apiVersion']).startsWith('admissionregistration.k8s.io/');

function createLintHook(
  at: LintObject,
  webhook: AdmissionWebhook,
  index: number,
  seen: readonly MatchedRequest[],
): LintHook {
  return {
    at,
    phase: at.kind === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating',
    webhook,
    path: ['webhooks', index],
    seen,
    service: serviceOf(webhook),
  };
}

/** The referenced Service, or the one whose cluster DNS name the URL contains. */
function serviceOf({ clientConfig: { service, url = '' } }: AdmissionWebhook): LintHook['service'] {
  if (service) return { namespace: service.namespace, name: service.name, port: service.port ?? 443 };
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc(?:\.|$)/.exec(address?.hostname ?? '') ?? [];
  if (name === undefined || namespace === undefined) return undefined;
  return { namespace, name, port: Number(address?.port) || 443 };
}

/** With the default namespace. */
export const effectiveNamespace = ({ namespace }: LintObject): string => namespace || 'default';

export const findObject = (set: LintSet, kind: string, namespace: string, name: string): LintObject | undefined =>
  indexObjects(set)
    .byName.get(`${kind} ${name}`)
    ?.find((one) => namespace === '' || effectiveNamespace(one) === namespace);

interface Index {
  readonly byName: ReadonlyMap<string, readonly LintObject[]>;
  readonly byNamespace: ReadonlyMap<string, readonly LintObject[]>;
}

/** Once per set: `kadmit lint` of thousands of objects would search all for each. */
const indices = new WeakMap<readonly LintObject[], Index>();

/** Cached per set. */
function indexObjects({ objects }: LintSet): Index {
  const known = indices.get(objects);
  if (known) return known;
  const grouped = (keyOf: (one: LintObject) => string): ReadonlyMap<string, readonly LintObject[]> => {
    const groups = new Map<string, LintObject[]>();
    for (const one of objects) {
      const group = groups.get(keyOf(one));
      if (group) group.push(one);
      else groups.set(keyOf(one), [one]);
    }
    return groups;
  };
  const index = { byName: grouped(({ kind, name }) => `${kind} ${name}`), byNamespace: grouped(effectiveNamespace) };
  indices.set(objects, index);
  return index;
}

/** Pod templates of workloads in this namespace that match the selector. */
export function templatesFor(set: LintSet, namespace: string, selector: JsonObject): readonly JsonObject[] {
  const wanted = Object.entries(selector);
  if (wanted.length === 0) return [];
  return templatesIn(set, namespace).filter((template) => {
    const labels = asObject(valueAt(template, 'metadata', 'labels'));
    return wanted.every(([key, value]) => labels[key] === value);
  });
}

/** Pod templates of all workloads in this namespace, and its Pods. */
export const templatesIn = (set: LintSet, namespace: string): readonly JsonObject[] =>
  (indexObjects(set).byNamespace.get(namespace) ?? []).flatMap(({ kind, object }) => {
    const template = kind === 'Pod' ? object : asObject(valueAt(object, 'spec', 'template'));
    return asList(valueAt(template, 'spec', 'containers')).length > 0 ? [template] : [];
  });

const selectors = { namespaceSelector: {}, objectSelector: {} };

/** With the defaults that `lint` needs: an absent selector matches everything. */
function configurationWithDefaults(object: KubernetesObject): KubernetesObject {
  const defaults = object.apiVersion.endsWith('/v1beta1') ? formerWebhookDefaults('validating') : selectors;
  return {
    ...object,
    webhooks: asList(object['webhooks']).map((webhook) => withDefaults(asObject(webhook), defaults)),
  };
}

function policyWithDefaults(object: KubernetesObject): KubernetesObject {
  const spec = asObject(object['spec']);
  const match = (field: string): JsonObject =>
    spec[field] === undefined ? {} : { [field]: withDefaults(asObject(spec[field]), selectors) };
  return { ...object, spec: { ...spec, ...match('matchConstraints'), ...match('matchResources') } };
}

const withDefaults = (object: JsonObject, defaults: JsonObject): JsonObject => {
  const given = Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
  return { ...defaults, ...Object.fromEntries(given) };
};

/** A namespaceSelector that also excludes these namespaces. */
export function excludeNamespaces({ webhook: { definition } }: LintHook, namespaces: readonly string[]): JsonObject {
  const selector = asObject(definition['namespaceSelector']);
  const added = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: [...new Set(namespaces)] };
  return { namespaceSelector: { ...selector, matchExpressions: [...asList(selector['matchExpressions']), added] } };
}

/** matchConditions that also exclude these cluster-scoped resources. */
export function excludeResources({ webhook: { definition } }: LintHook, resources: readonly string[]): JsonObject {
  const quoted = [...new Set(resources)].map((one) => `'${one}'`).join(', ');
  const added = { name: 'exempt-bootstrap', expression: `!(request.resource.resource in [${quoted}])` };
  return { matchConditions: [...asList(definition['matchConditions']), added] };
}
