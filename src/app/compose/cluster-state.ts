import { type AbacPolicy, createAbacAuthorizer } from '../../apiserver/auth/abac-authorizer.ts';
import { unionAuthorizers, type Authorize } from '../../apiserver/auth/authorizer.ts';
import {
  abacRules,
  allRules,
  nodeRules,
  noRules,
  rbacRules,
  type RulesOf,
  unionRules,
} from '../../apiserver/auth/rules-of.ts';
import { createBootstrapRbac } from '../../apiserver/auth/bootstrap-rbac.ts';
import { createNodeAuthorizer } from '../../apiserver/auth/node/node-authorizer.ts';
import {
  allowMasters,
  alwaysAllow,
  createRbacAuthorizer,
  createRuleResolver,
  denyAll,
  type RuleResolver,
} from '../../apiserver/auth/rbac/rule-resolver.ts';
import type { IsServed } from '../../api/types/catalogue/served-apis.ts';
import type { LiveCatalogue } from '../../api/types/catalogue/create-catalogue.ts';
import type { Release } from '../../api/release/release.ts';
import { createMemoryStore, type MemoryStore } from '../../apiserver/storage/memory-store.ts';
import type { ClusterCache } from '../../apiserver/storage/cluster-cache.ts';
import type { Storage } from '../../apiserver/storage/storage.ts';

/** Storage, catalogue and authorization of an API server; its ports read them too. */
export interface ClusterState {
  readonly release: Release;
  readonly storage: Storage;
  readonly cluster: ClusterCache;
  readonly catalogue: LiveCatalogue;
  readonly authorize: Authorize;
  /** For the escalation rules of roles and bindings, with any authorizer. */
  readonly resolver: RuleResolver;
  readonly rulesOf: RulesOf;
}

/** In memory. */
export interface ForkableClusterState extends ClusterState {
  readonly memory: MemoryStore;
  readonly authorization: Authorization;
}

export interface Authorization {
  /** In order; the first authorizer that allows decides. */
  readonly modes: readonly string[];
  readonly policies?: readonly AbacPolicy[];
}

/** With an empty store in memory. */
export const createClusterState = (
  release: Release,
  authorization: Authorization,
  isServed?: IsServed,
): ForkableClusterState =>
  buildInMemory({
    release,
    memory: createMemoryStore(),
    catalogue: release.createCatalogue(isServed),
    authorization,
  });

/** Over a persistent store. */
export const createClusterStateOver = (
  { release, storage, cluster }: Pick<ClusterState, 'release' | 'storage' | 'cluster'>,
  authorization: Authorization,
  isServed?: IsServed,
): ClusterState =>
  buildClusterState({ release, storage, cluster, catalogue: release.createCatalogue(isServed) }, authorization);

/** Copy on write. */
export const forkClusterState = ({ memory, catalogue, ...base }: InMemory): ForkableClusterState =>
  buildInMemory({ ...base, memory: memory.fork(), catalogue: catalogue.fork() });

type InMemory = Pick<ForkableClusterState, 'release' | 'memory' | 'catalogue' | 'authorization'>;

const buildInMemory = ({ release, memory, catalogue, authorization }: InMemory): ForkableClusterState => ({
  ...buildClusterState({ release, storage: memory, cluster: memory, catalogue }, authorization),
  memory,
  authorization,
});

function buildClusterState(
  base: Pick<ClusterState, 'release' | 'storage' | 'cluster' | 'catalogue'>,
  { modes, policies = [] }: Authorization,
): ClusterState {
  const { release, cluster, catalogue } = base;
  const resolver = createRuleResolver(cluster);
  const builtin: ReadonlyMap<string, () => Authorizer> = new Map([
    ['ABAC', () => ({ authorize: createAbacAuthorizer(policies), rulesOf: abacRules(policies) })],
    ['AlwaysAllow', () => ({ authorize: alwaysAllow, rulesOf: allRules })],
    ['AlwaysDeny', () => ({ authorize: denyAll, rulesOf: noRules })],
    [
      'Node',
      () => ({
        authorize: createNodeAuthorizer(cluster, createBootstrapRbac(release.bootstrapRbac), {
          minor: release.minor,
          hasCertificateRequests: () => certificateRequests.some((one) => catalogue.find(one, '') !== undefined),
        }),
        rulesOf: nodeRules,
      }),
    ],
    ['RBAC', () => ({ authorize: createRbacAuthorizer(resolver), rulesOf: rbacRules(resolver) })],
  ]);
  const authorizers = modes.flatMap((mode) => builtin.get(mode)?.() ?? []);
  const rulesOf = unionRules(authorizers.map((one) => one.rulesOf));
  const authorize = unionAuthorizers([allowMasters, ...authorizers.map((one) => one.authorize)]);
  return { ...base, authorize, rulesOf, resolver };
}

const certificateRequests = ['v1', 'v1beta1', 'v1alpha1'].map((version) => ({
  group: 'certificates.k8s.io',
  version,
  resource: 'podcertificaterequests',
}));

interface Authorizer {
  readonly authorize: Authorize;
  readonly rulesOf: RulesOf;
}
