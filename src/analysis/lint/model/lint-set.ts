import { bindingOf } from '../../../apiserver/admission/policies/binding.ts';
import type { Binding } from '../../../apiserver/admission/policies/binding.ts';
import { policyOf } from '../../../apiserver/admission/policies/policy.ts';
import type { Policy } from '../../../apiserver/admission/policies/policy.ts';
import { webhooksOf } from '../../../apiserver/admission/webhooks/configuration.ts';
import type { Webhook } from '../../../apiserver/admission/webhooks/configuration.ts';
import { asList, asObject, asString, isJsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { formerWebhookDefaults } from '../../../machinery/meta/webhook-fields.ts';
import type { LintObject, ValuePath } from './lint-object.ts';
import { seenBy } from './seen-requests.ts';
import type { SeenRequest, Served } from './seen-requests.ts';
import { servedRows } from './served-rows.ts';

/** One webhook of a configuration. */
export interface LintHook {
  readonly at: LintObject;
  readonly phase: 'mutating' | 'validating';
  readonly webhook: Webhook;
  /** `['webhooks', 0]`. */
  readonly path: ValuePath;
  /** Kinds of requests that its rules take. */
  readonly seen: readonly SeenRequest[];
  /** Who answers it in the cluster; undefined: somebody outside. */
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number } | undefined;
}

export interface LintPolicy {
  readonly at: LintObject;
  readonly policy: Policy;
  readonly seen: readonly SeenRequest[];
}

export interface LintBinding {
  readonly at: LintObject;
  readonly binding: Binding;
}

/** Everything that is linted together. */
export interface LintSet extends Served {
  readonly objects: readonly LintObject[];
  /** In the order in which they are called: configurations by name. */
  readonly hooks: readonly LintHook[];
  readonly policies: readonly LintPolicy[];
  readonly bindings: readonly LintBinding[];
  /** Is this all that there is, as on a server? Then what is missing is missing. */
  readonly isWhole: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function createLintSet(objects: readonly LintObject[], options: Pick<LintSet, 'isWhole' | 'now'>): LintSet {
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ object }) => object);
  const rows = servedRows(definitions);
  const aggregated = new Set(objects.flatMap(aggregatedGroup));
  const mayServe = (group: string): boolean => !options.isWhole || aggregated.has(group);
  const seenAs = new Map<string, readonly SeenRequest[]>();
  const seen = (rules: Webhook['rules']): readonly SeenRequest[] => {
    const key = JSON.stringify(rules);
    const known = seenAs.get(key) ?? seenBy(rules, { rows, mayServe });
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
          hookOf(at, webhook, index, seen(webhook.rules)),
        ),
      ),
    policies: ofKind('AdmissionPolicy').map((at) => {
      const policy = policyOf(policyWithDefaults(at.object));
      return { at, policy, seen: seen(policy.match.resourceRules) };
    }),
    bindings: ofKind('AdmissionPolicyBinding').map((at) => ({ at, binding: bindingOf(policyWithDefaults(at.object)) })),
  };
}

/** The group that an API server of somebody else serves, who may ask webhooks too; nothing here knows its resources. */
function aggregatedGroup({ kind, object }: LintObject): readonly string[] {
  const { service, group } = asObject(object['spec']);
  return kind === 'APIService' && isJsonObject(service) ? [asString(group)] : [];
}

const isRegistration = ({ object }: LintObject): boolean =>
  asString(object['apiVersion']).startsWith('admissionregistration.k8s.io/');

function hookOf(at: LintObject, webhook: Webhook, index: number, seen: readonly SeenRequest[]): LintHook {
  return {
    at,
    phase: at.kind === 'MutatingWebhookConfiguration' ? 'mutating' : 'validating',
    webhook,
    path: ['webhooks', index],
    seen,
    service: serviceOf(webhook),
  };
}

/** The Service by reference, or the one whose name in the cluster's DNS a url has. */
function serviceOf({ clientConfig: { service, url = '' } }: Webhook): LintHook['service'] {
  if (service) return { namespace: service.namespace, name: service.name, port: service.port ?? 443 };
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc(?:\.|$)/.exec(address?.hostname ?? '') ?? [];
  if (name === undefined || namespace === undefined) return undefined;
  return { namespace, name, port: Number(address?.port) || 443 };
}

/** The namespace an object lies in when it names none. */
export const namespaceOf = ({ namespace }: LintObject): string => namespace || 'default';

export const find = (set: LintSet, kind: string, namespace: string, name: string): LintObject | undefined =>
  indexOf(set)
    .byName.get(`${kind} ${name}`)
    ?.find((one) => namespace === '' || namespaceOf(one) === namespace);

interface Index {
  /** By kind and name. */
  readonly byName: ReadonlyMap<string, readonly LintObject[]>;
  readonly byNamespace: ReadonlyMap<string, readonly LintObject[]>;
}

const indices = new WeakMap<readonly LintObject[], Index>();

/** The objects of a set by what they are asked for by; made once for each. */
function indexOf({ objects }: LintSet): Index {
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
  const index = { byName: grouped(({ kind, name }) => `${kind} ${name}`), byNamespace: grouped(namespaceOf) };
  indices.set(objects, index);
  return index;
}

/** The Pod templates of workloads in this namespace whose labels this selector takes. */
export function templatesFor(set: LintSet, namespace: string, selector: JsonObject): readonly JsonObject[] {
  const wanted = Object.entries(selector);
  if (wanted.length === 0) return [];
  return templatesIn(set, namespace).filter((template) => {
    const labels = asObject(valueAt(template, 'metadata', 'labels'));
    return wanted.every(([key, value]) => labels[key] === value);
  });
}

/** The Pod templates of all workloads in this namespace, and its Pods. */
export const templatesIn = (set: LintSet, namespace: string): readonly JsonObject[] =>
  (indexOf(set).byNamespace.get(namespace) ?? []).flatMap(({ kind, object }) => {
    const template = kind === 'Pod' ? object : asObject(valueAt(object, 'spec', 'template'));
    return asList(valueAt(template, 'spec', 'containers')).length > 0 ? [template] : [];
  });

const selectors = { namespaceSelector: {}, objectSelector: {} };

/** A configuration of webhooks as it would be stored, as far as `lint` looks: a selector that is left out takes everything. */
function configurationWithDefaults(object: KubernetesObject): KubernetesObject {
  const defaults = object.apiVersion.endsWith('/v1beta1') ? formerWebhookDefaults('validating') : selectors;
  return { ...object, webhooks: asList(object['webhooks']).map((webhook) => filled(asObject(webhook), defaults)) };
}

/** The same of a policy or a binding. */
function policyWithDefaults(object: KubernetesObject): KubernetesObject {
  const spec = asObject(object['spec']);
  const match = (field: string): JsonObject =>
    spec[field] === undefined ? {} : { [field]: filled(asObject(spec[field]), selectors) };
  return { ...object, spec: { ...spec, ...match('matchConstraints'), ...match('matchResources') } };
}

const filled = (object: JsonObject, defaults: JsonObject): JsonObject => {
  const given = Object.entries(object).filter(([, value]) => value !== undefined && value !== null);
  return { ...defaults, ...Object.fromEntries(given) };
};
