import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';
import { type JsonValue, asList, asString } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { type Status, internalError, notFound } from '../../../machinery/meta/status.ts';
import { type SelectorReading, selectorSentence } from '../../../machinery/selectors/label-selector.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { LookedAt, SkipReason } from '../chain/skip-reason.ts';

/** One of `rules` of a webhook, of `resourceRules` or `excludeResourceRules` of a policy or binding. */
export interface MatchRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
  readonly resourceNames?: readonly string[];
}

export const readRule = (rule: v1.NamedRuleWithOperations): MatchRule => ({
  operations: strings(rule.operations),
  apiGroups: strings(rule.apiGroups),
  apiVersions: strings(rule.apiVersions),
  resources: strings(rule.resources),
  scope: typeof rule.scope === 'string' ? rule.scope : '*',
  ...(Array.isArray(rule.resourceNames) ? { resourceNames: strings(rule.resourceNames) } : {}),
});

const strings = (value: JsonValue | undefined): readonly string[] => asList(value).map(asString);

export type SelectorOutcome =
  | { readonly outcome: 'matched' }
  | { readonly outcome: 'skipped'; readonly reason: SelectorSkip }
  /** Reported only if the rules match too (rule SEL-11). */
  | { readonly outcome: 'failed'; readonly status: Status };

/** Why a selector skips. */
export type SelectorSkip =
  | Omit<Extract<SkipReason, { readonly because: 'namespaceSelector' }>, 'rulesMatch'>
  | Omit<Extract<SkipReason, { readonly because: 'objectSelector' }>, 'rulesMatch'>;

export type GetNamespace = (name: string) => KubernetesObject | undefined;

const matched: SelectorOutcome = Object.freeze({ outcome: 'matched' });

/**
 * Cluster-scoped objects other than namespaces always match. Follows apiserver
 * pkg/admission/plugin/webhook/predicates/namespace/matcher.go (rules SEL-40 to SEL-44).
 */
export function matchNamespaceSelector(
  reading: SelectorReading,
  request: AdmissionAttributes,
  getNamespace: GetNamespace,
): SelectorOutcome {
  const { namespace, resource } = request;
  if (namespace === '' && resource.resource !== 'namespaces') return matched;
  if (reading.outcome === 'unparsable') return { outcome: 'failed', status: internalError(reading.error) };
  const { selector } = reading;
  if (selector.isEmpty) return matched;
  const subject = isNamespaceWrite(request) ? request.object : getNamespace(namespace);
  if (!subject) {
    return { outcome: 'failed', status: notFound({ group: '', resource: 'namespaces' }, namespace) };
  }
  const labels = labelsOf(subject);
  if (selector.matches(labels)) return matched;
  const wants = selectorSentence(selector);
  return { outcome: 'skipped', reason: { because: 'namespaceSelector', wants, namespace, labels } };
}

/** Writes of a namespace are matched by its new labels. */
const isNamespaceWrite = ({ resource, subresource, operation }: AdmissionAttributes): boolean =>
  resource.resource === 'namespaces' && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');

/**
 * The object or the old object must match. Follows apiserver pkg/admission/plugin/webhook/predicates/object/matcher.go
 * (rules SEL-50, SEL-51).
 */
export function matchObjectSelector(reading: SelectorReading, request: AdmissionAttributes): SelectorOutcome {
  if (reading.outcome === 'unparsable') return { outcome: 'failed', status: internalError(reading.error) };
  const { selector } = reading;
  if (selector.isEmpty) return matched;
  const { object, oldObject } = request;
  const matches = (candidate: KubernetesObject | null): boolean =>
    candidate?.metadata !== undefined && selector.matches(labelsOf(candidate));
  if (matches(object) || matches(oldObject)) return matched;
  const looked = [lookedAt('object', object), lookedAt('oldObject', oldObject)].filter((entry) => entry !== null);
  return { outcome: 'skipped', reason: { because: 'objectSelector', wants: selectorSentence(selector), looked } };
}

function lookedAt(which: 'object' | 'oldObject', object: KubernetesObject | null): LookedAt | null {
  if (!object) return null;
  const labels = object.metadata === undefined ? null : labelsOf(object);
  return { which, kind: object.kind, name: metadataOf(object).name ?? '', labels };
}

const noLabels: Readonly<Record<string, string>> = Object.freeze({});

// A StringMap's values are strings; its type allows undefined only so that absent keys can be read.
export const labelsOf = (object: KubernetesObject): Readonly<Record<string, string>> =>
  (metadataOf(object).labels as Readonly<Record<string, string>> | undefined) ?? noLabels;
