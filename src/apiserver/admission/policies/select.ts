import type { Codec, Converted } from '../../../api/codec/codec.ts';
import {
  type Catalogue,
  type ResourceInfo,
  type RestMapping,
  findRestMapping,
} from '../../../api/types/catalogue/catalogue.ts';
import { append } from '../../../machinery/json/json.ts';
import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { selectorSentence } from '../../../machinery/selectors/label-selector.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { SkipReason } from '../chain/skip-reason.ts';
import type { MatchedAs } from '../matching/match-rules.ts';
import type { AdmissionPolicy, Binding, ParamRef } from './policy.ts';
import type { Hook } from './hooks.ts';
import { matchResources, type ResourcePorts } from './match-resources.ts';

export interface SelectPorts extends ResourcePorts, ParamPorts {}

/** A policy with the binding and params that were chosen, as far as matching came. */
export interface BoundPolicy {
  readonly policy: AdmissionPolicy;
  readonly binding: Binding | null;
}

export type PolicyMatch = BoundPolicy &
  (
    | { readonly outcome: 'skipped'; readonly reason: SkipReason }
    /** The complete error: failurePolicy decides, not the binding's actions (rule VAP-32). */
    | { readonly outcome: 'misconfigured'; readonly error: string; readonly missingParams?: string | undefined }
    | Invocation
  );

export interface Invocation extends BoundPolicy {
  readonly outcome: 'selected';
  readonly binding: Binding;
  readonly as: Pick<MatchedAs, 'kind' | 'resource'>;
  readonly params: KubernetesObject | null;
}

/**
 * In the order of policies, bindings and params. Follows apiserver
 * pkg/admission/plugin/policy/generic/policy_dispatcher.go Dispatch (rules VAP-1, VAP-4 to VAP-8).
 */
export async function selectPolicies(
  hooks: readonly Hook[],
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly PolicyMatch[]> {
  const selected: PolicyMatch[] = [];
  for (const hook of hooks) append(selected, await selectHook(hook, request, ports));
  return selected;
}

async function selectHook(
  { policy, bindings }: Hook,
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly PolicyMatch[]> {
  const own = { policy, binding: null };
  if (bindings.length === 0) return [{ ...own, outcome: 'skipped', reason: { because: 'not-bound' } }];
  const match = matchResources(policy.match, request, ports);
  if (match.outcome === 'skipped') return [{ ...own, ...match }];
  if (match.outcome === 'failed') return [configurationFailure(own, match.error)];
  const error = paramKindError(policy, ports);
  if (error !== undefined) return [configurationFailure(own, error)];
  return selectBindings({ policy, bindings }, match.as, request, ports);
}

async function selectBindings(
  { policy, bindings }: Hook,
  as: Invocation['as'],
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly PolicyMatch[]> {
  const selected: PolicyMatch[] = [];
  for (const binding of bindings) append(selected, await selectBinding({ policy, binding }, as, request, ports));
  return selected;
}

async function selectBinding(
  selected: { readonly policy: AdmissionPolicy; readonly binding: Binding },
  as: Invocation['as'],
  request: AdmissionAttributes,
  ports: SelectPorts,
): Promise<readonly PolicyMatch[]> {
  const { policy, binding } = selected;
  const match = binding.match ? matchResources(binding.match, request, ports) : { outcome: 'matched' as const };
  if (match.outcome === 'skipped') return [{ ...selected, ...match }];
  if (match.outcome === 'failed') return [configurationFailure(selected, match.error)];
  const collected = await collectParams(policy, binding, request.namespace, ports);
  switch (collected.outcome) {
    case 'failed':
      return [configurationFailure(selected, collected.error, collected.wants)];
    case 'none':
      return [{ ...selected, outcome: 'skipped', reason: { because: 'no-params', wants: collected.wants } }];
    case 'collected':
      return collected.params.map((params) => ({ policy, binding, outcome: 'selected', as, params }));
  }
}

export const configurationFailure = (selected: BoundPolicy, error: string, missingParams?: string): PolicyMatch => ({
  ...selected,
  outcome: 'misconfigured',
  error: `failed to configure ${selected.binding ? 'binding' : 'policy'}: ${error}`,
  missingParams,
});

interface ParamPorts {
  readonly cluster: ClusterView;
  readonly catalogue: Catalogue;
  readonly codec: Codec;
}

type ParamsOutcome =
  /** null: policy or binding names no params. */
  | { readonly outcome: 'collected'; readonly params: readonly (KubernetesObject | null)[] }
  | { readonly outcome: 'none'; readonly wants: string }
  | { readonly outcome: 'failed'; readonly error: string; readonly wants?: string };

/** paramKind must be a resource. */
export function paramKindError({ paramKind }: AdmissionPolicy, { catalogue }: ParamPorts): string | undefined {
  if (paramKind === undefined || findRestMapping(kindOf(paramKind), catalogue)) return undefined;
  const { apiVersion, kind } = paramKind;
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `failed to find resource referenced by paramKind: '${groupVersion}, Kind=${kind}'`;
}

const kindOf = ({ apiVersion, kind }: NonNullable<AdmissionPolicy['paramKind']>): GroupVersionKind => ({
  ...parseApiVersion(apiVersion),
  kind,
});

/** As Go's `%v`. */
const goText = ({ apiVersion, kind }: NonNullable<AdmissionPolicy['paramKind']>): string =>
  `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;

const withoutParams: ParamsOutcome = Object.freeze({ outcome: 'collected', params: [null] });

/**
 * The current objects of the binding's paramRef. Follows apiserver
 * pkg/admission/plugin/policy/generic/policy_dispatcher.go CollectParams (rule VAP-8).
 */
export async function collectParams(
  { paramKind }: AdmissionPolicy,
  { paramRef }: Binding,
  namespace: string,
  ports: ParamPorts,
): Promise<ParamsOutcome> {
  if (paramKind === undefined || paramRef === undefined) return withoutParams;
  const kind = kindOf(paramKind);
  const resource = findRestMapping(kind, ports.catalogue);
  if (!resource) return { outcome: 'failed', error: `paramKind kind \`${kind.kind}\` not known` };
  const inNamespace = paramNamespaceOf(paramRef, resource, namespace);
  // Upstream checks the namespace of a namespaced kind first, that of a cluster-scoped kind after its informer.
  if (inNamespace.outcome === 'failed' && resource.namespaced) return inNamespace;
  const { row } = resource;
  // Upstream's informer of such a kind never syncs.
  if (!row?.verbs.includes('list'))
    return { outcome: 'failed', error: `paramKind kind \`${goText(paramKind)}\` not yet synced to use for admission` };
  if (inNamespace.outcome === 'failed') return inNamespace;
  const found = await findParams(paramRef, row, inNamespace.namespace, ports);
  if (found.outcome === 'failed' || found.params.length > 0) return found;
  const wants = describeParams(paramRef, kind, inNamespace.namespace);
  if (paramRef.parameterNotFoundAction !== 'Deny') return { outcome: 'none', wants };
  return { outcome: 'failed', error: 'no params found for policy binding with `Deny` parameterNotFoundAction', wants };
}

type ParamNamespace =
  | { readonly outcome: 'found'; readonly namespace: string }
  | { readonly outcome: 'failed'; readonly error: string };

function paramNamespaceOf(paramRef: ParamRef, { namespaced }: RestMapping, requestNamespace: string): ParamNamespace {
  if (!namespaced) {
    if (paramRef.namespace === '') return { outcome: 'found', namespace: '' };
    return { outcome: 'failed', error: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
  }
  const namespace = paramRef.namespace || requestNamespace;
  if (namespace !== '') return { outcome: 'found', namespace };
  const error = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  return { outcome: 'failed', error };
}

async function findParams(
  { name, selector }: ParamRef,
  { storage, kind, namespaced }: ResourceInfo,
  namespace: string,
  { cluster, codec }: ParamPorts,
): Promise<Exclude<ParamsOutcome, { readonly outcome: 'none' }>> {
  if (name === '' && selector.outcome === 'unparsable') return { outcome: 'failed', error: selector.error };
  const stored =
    name !== ''
      ? [cluster.get(storage, namespace, name)]
      : cluster.list(storage, namespaced ? namespace : undefined).filter((object) => isSelected(selector, object));
  const found = stored.filter((object) => object !== undefined);
  const all: Converted[] = [];
  for (const object of found) all.push(await codec.convert(object, kind));
  const params: KubernetesObject[] = [];
  for (const converted of all) {
    if (converted.outcome === 'inconvertible') return { outcome: 'failed', error: converted.error };
    params.push(withoutManagers(converted.object));
  }
  return { outcome: 'collected', params };
}

/** Upstream's param informers drop managed fields. */
function withoutManagers(object: KubernetesObject): KubernetesObject {
  return metadataOf(object).managedFields === undefined ? object : withMetadata(object, { managedFields: undefined });
}

function isSelected(selector: ParamRef['selector'], object: KubernetesObject): boolean {
  if (selector.outcome === 'unparsable') return false;
  return selector.selector.isEmpty || selector.selector.matches({ ...metadataOf(object).labels });
}

/** `ConfigMap limits in namespace default`. */
function describeParams({ name, selector }: ParamRef, { kind }: GroupVersionKind, namespace: string): string {
  const which =
    name !== '' ? name : selector.outcome === 'selector' ? `with ${selectorSentence(selector.selector)}` : '';
  return `${kind} ${which}${namespace === '' ? '' : ` in namespace ${namespace}`}`;
}
