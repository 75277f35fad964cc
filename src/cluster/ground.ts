import { createAbacAuthorizer } from '../auth/abac/abac-authorizer.ts';
import type { AbacPolicy } from '../auth/abac/abac-policy.ts';
import { anyOf } from '../auth/authorizer.ts';
import { bootstrapRbac } from '../auth/bootstrap-rbac.ts';
import type { Authorize } from '../auth/authorizer.ts';
import { createNodeAuthorizer } from '../auth/node/node-authorizer.ts';
import { allowMasters, alwaysAllow, alwaysDeny, createRbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import { createRuleResolver } from '../auth/rbac/rule-resolver.ts';
import type { RuleResolver } from '../auth/rbac/rule-resolver.ts';
import type { IsServed } from '../schema/catalogue/served-apis.ts';
import type { LiveCatalogue } from '../schema/catalogue/create-catalogue.ts';
import type { Release } from '../schema/release/release.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import type { ClusterCache } from '../store/cluster-cache.ts';
import type { Storage } from '../store/storage.ts';

/** What a world stands on; made first, since what it needs from outside reads it too. */
export interface Ground {
  readonly release: Release;
  readonly storage: Storage;
  readonly cluster: ClusterCache;
  readonly catalogue: LiveCatalogue;
  readonly authorize: Authorize;
  /** undefined when RBAC does not decide. */
  readonly resolver: RuleResolver | undefined;
}

/** Ground in memory: worlds that begin as it is can be had from it. */
export interface ForkableGround extends Ground {
  readonly memory: MemoryStore;
}

/** How it is decided who may do what. */
export interface Authorization {
  /** One authorizer or several, asked in this order. */
  readonly authorizationMode: string | readonly string[];
  /** For ABAC. */
  readonly policies?: readonly AbacPolicy[];
}

/** An empty store, the catalogue of the built-in resources and the authorizer over the store's roles. */
export const createGround = (
  release: Release,
  authorizationMode: Authorization['authorizationMode'],
  policies: readonly AbacPolicy[] = [],
  isServed?: IsServed,
): ForkableGround =>
  groundInMemory(
    { release, memory: createMemoryStore(), catalogue: release.createCatalogue(isServed) },
    { authorizationMode, policies },
  );

/** Ground over a store that outlives this process. */
export const groundOn = (
  { release, storage, cluster }: Pick<Ground, 'release' | 'storage' | 'cluster'>,
  authorization: Authorization,
  isServed?: IsServed,
): Ground => groundOver({ release, storage, cluster, catalogue: release.createCatalogue(isServed) }, authorization);

/** Ground that begins as this one is now, and shares its memory until one of the two is written to. */
export const forkGround = ({ release, memory, catalogue }: InMemory, authorization: Authorization): ForkableGround =>
  groundInMemory({ release, memory: memory.fork(), catalogue: catalogue.fork() }, authorization);

type InMemory = Pick<ForkableGround, 'release' | 'memory' | 'catalogue'>;

const groundInMemory = ({ release, memory, catalogue }: InMemory, how: Authorization): ForkableGround => ({
  ...groundOver({ release, storage: memory, cluster: memory, catalogue }, how),
  memory,
});

function groundOver(
  base: Pick<Ground, 'release' | 'storage' | 'cluster' | 'catalogue'>,
  { authorizationMode, policies = [] }: Authorization,
): Ground {
  const { release, cluster } = base;
  const modes = [authorizationMode].flat();
  if (modes.includes('AlwaysAllow')) return { ...base, authorize: alwaysAllow, resolver: undefined };
  const resolver = modes.includes('RBAC') ? createRuleResolver(cluster) : undefined;
  const authorizers: Readonly<Record<string, () => Authorize>> = {
    ABAC: () => createAbacAuthorizer(policies),
    AlwaysDeny: () => alwaysDeny,
    Node: () => createNodeAuthorizer(cluster, bootstrapRbac(release.bootstrapRbac)),
    RBAC: () => (resolver ? createRbacAuthorizer(resolver) : alwaysDeny),
  };
  const asked = modes.flatMap((mode) => authorizers[mode]?.() ?? []);
  return { ...base, authorize: anyOf(...(resolver ? [] : [allowMasters]), ...asked), resolver };
}
