import type { ResourceQuota } from '../../api/types/generated/core-v1.ts';
import { asObject } from '../../machinery/json/json.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { type Evaluator, type QuotaWrite, type ScopeRequirement, scopesOf, scopeText } from './evaluator.ts';
import {
  addUsage,
  findExceeded,
  subtractUsage,
  findNegative,
  pickUsage,
  readUsage,
  type Usage,
  formatUsage,
  withoutZeros,
} from './usage.ts';

/** A write with its evaluator. */
export interface ChargedWrite extends QuotaWrite {
  readonly object: KubernetesObject;
  readonly resource: GroupResource;
  readonly now: number;
}

export type Charge =
  /** The usage afterwards; quotas that do not apply are unchanged. */
  | { readonly outcome: 'charged'; readonly quotas: readonly QuotaState[] }
  | { readonly outcome: 'refused'; readonly reason: string; readonly quota?: ResourceQuota }
  /** A configuration error: upstream responds with 500. */
  | { readonly outcome: 'failed'; readonly message: string };

/** `used` may be ahead of the stored status. */
export interface QuotaState {
  readonly quota: ResourceQuota;
  readonly used: Usage;
}

export const createQuotaState = (quota: ResourceQuota): QuotaState => ({
  quota,
  used: readUsage(asObject(quota.status?.used)),
});

/**
 * Every matching quota must have room. Follows apiserver pkg/admission/plugin/resourcequota/controller.go
 * CheckRequest.
 */
export function chargeQuota(
  write: ChargedWrite,
  quotas: readonly QuotaState[],
  evaluator: Evaluator,
  limited: readonly LimitedResource[],
): Charge {
  const usage = evaluator.usage(write.object, write.now);
  const concerned: QuotaState[] = [];
  const coveredScopes = new Set<string>();
  for (const state of quotas) {
    const inScopes = scopesOf(state.quota).filter((scope) => evaluator.isInScope?.(scope, write.object) === true);
    for (const { scopeName } of inScopes) coveredScopes.add(scopeName);
    if (!quotaMatches(state, write.object, evaluator)) continue;
    const fault = quotaFault(state, write.object, evaluator);
    if (fault !== undefined) return { ...refused(fault), quota: state.quota };
    concerned.push(state);
  }
  const below = findNegative(usage);
  if (below.length > 0) return refused(`quota usage is negative for resource(s): ${namesText(below)}`);

  const growthByState = new Map(
    concerned.map((state) => [state, withoutZeros(growthOf(write, usage, { state, evaluator }))]),
  );
  const growths =
    concerned.length === 0 ? [withoutZeros(growthOf(write, usage, { evaluator }))] : [...growthByState.values()];
  if (growths.every((growth) => growth.size === 0)) return { outcome: 'charged', quotas };

  const covered = new Set(concerned.flatMap((state) => evaluator.matchingNames(hardNames(state))));
  const uncoveredNames = limitedNames(usage, write.resource, limited).filter((name) => !covered.has(name));
  if (uncoveredNames.length > 0) return refused(`insufficient quota to consume: ${namesText(uncoveredNames)}`);
  const scopes = uncoveredScopes(write.object, evaluator, limited, coveredScopes);
  if (scopes !== undefined) {
    return { outcome: 'failed', message: `insufficient quota to match these scopes: ${scopes}` };
  }
  return addAll(write, quotas, growthByState);
}

function addAll(write: ChargedWrite, quotas: readonly QuotaState[], grown: ReadonlyMap<QuotaState, Usage>): Charge {
  const next: QuotaState[] = [];
  for (const state of quotas) {
    const charged = pickUsage(grown.get(state) ?? new Map(), hardNames(state));
    const used = addUsage(state.used, charged);
    const limits = hardOf(state);
    const over = write.subresource === 'status' ? [] : findExceeded(pickUsage(used, [...charged.keys()]), limits);
    if (over.length > 0) {
      const [requested, before, hard] = [charged, state.used, limits].map((one) => formatUsage(pickUsage(one, over)));
      const name = metadataOf(state.quota).name ?? '';
      const reason = `exceeded quota: ${name}, requested: ${requested}, used: ${before}, limited: ${hard}`;
      return { outcome: 'refused', reason, quota: state.quota };
    }
    next.push(charged.size === 0 ? state : { quota: state.quota, used });
  }
  return { outcome: 'charged', quotas: next };
}

const refused = (reason: string) => ({ outcome: 'refused', reason }) as const;

/** A quota matches if it limits something of the object and all its scopes match. */
export const quotaMatches = (
  { quota }: Pick<QuotaState, 'quota'>,
  object: KubernetesObject,
  evaluator: Evaluator,
): boolean =>
  evaluator.matchingNames(hardNames({ quota })).length > 0 &&
  scopesOf(quota).every((scope) => evaluator.isInScope?.(scope, object) === true);

function quotaFault({ quota, used }: QuotaState, object: KubernetesObject, evaluator: Evaluator): string | undefined {
  const name = metadataOf(quota).name ?? '';
  const limited = evaluator.matchingNames(hardNames({ quota }));
  const fault = evaluator.constraintFault?.(limited, object);
  if (fault !== undefined) return `failed quota: ${name}: ${fault}`;
  const isKnown = limited.every((one) => used.has(one));
  return isKnown ? undefined : `status unknown for quota: ${name}, resources: ${namesText(limited)}`;
}

/** The whole usage where the old object did not match the quota. */
function growthOf(
  { operation, oldObject, now }: ChargedWrite,
  usage: Usage,
  { state, evaluator }: { readonly state?: QuotaState; readonly evaluator: Evaluator },
): Usage {
  if (operation !== 'UPDATE' || oldObject === null || metadataOf(oldObject).resourceVersion === undefined) return usage;
  if (state !== undefined && !quotaMatches(state, oldObject, evaluator)) return usage;
  return subtractUsage(usage, evaluator.usage(oldObject, now));
}

const hardOf = ({ quota }: Pick<QuotaState, 'quota'>): Usage => readUsage(asObject(quota.status?.hard));

const hardNames = ({ quota }: Pick<QuotaState, 'quota'>): readonly string[] =>
  Object.keys(asObject(quota.status?.hard));

const namesText = (names: readonly string[]): string => [...new Set(names)].toSorted().join(',');

/** A resource that needs a covering quota, from the plugin's configuration. */
export interface LimitedResource {
  readonly resource: GroupResource;
  /** Substrings of resource names. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

/** The used names that need a covering quota. Follows resourcequota/controller.go limitedByDefault. */
const limitedNames = (
  usage: Usage,
  { group, resource }: GroupResource,
  limited: readonly LimitedResource[],
): readonly string[] => {
  const parts = limited
    .filter((one) => one.resource.group === group && one.resource.resource === resource)
    .flatMap(({ matchContains }) => matchContains);
  return [...usage]
    .filter(([name, amount]) => amount.value > 0n && parts.some((part) => name.includes(part)))
    .map(([name]) => name);
};

/** As upstream prints them; undefined for none. */
function uncoveredScopes(
  object: KubernetesObject,
  { isInScope }: Evaluator,
  limited: readonly LimitedResource[],
  covered: ReadonlySet<string>,
): string | undefined {
  const scopes = limited
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((scope) => isInScope?.(scope, object) === true && !covered.has(scope.scopeName));
  return scopes.length === 0 ? undefined : `[${scopes.map(scopeText).join(' ')}]`;
}
