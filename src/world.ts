import { enabledPlugins } from './admission/builtin/enabled-plugins.ts';
import { createAdmissionChain } from './admission/create-chain.ts';
import type { CallWebhook } from './admission/webhooks/call.ts';
import { mutatingWebhookPlugin, validatingWebhookPlugin } from './admission/webhooks/plugins.ts';
import type { WebhookPorts } from './admission/webhooks/plugins.ts';
import type { ParseYaml } from './admission/webhooks/read-review.ts';
import type { Clock, NewUid, Random } from './apimachinery/clock.ts';
import type { ClusterView } from './apimachinery/cluster-view.ts';
import { impersonate } from './auth/impersonate.ts';
import type { Authorize } from './auth/authorizer.ts';
import { alwaysAllow, createRbacAuthorizer } from './auth/rbac/rbac-authorizer.ts';
import { createRuleResolver } from './auth/rbac/rule-resolver.ts';
import { createHandle } from './request/handle.ts';
import type { Handle, Observers } from './request/handle.ts';
import type { Rooms } from './request/rooms.ts';
import { createBuiltinCatalogue } from './schema/builtin-catalogue.ts';
import type { Catalogue } from './schema/catalogue.ts';
import type { Codec } from './schema/codec.ts';
import { createCodec } from './schema/create-codec.ts';
import { strategyFor } from './schema/strategy/strategy-for.ts';
import { createMemoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';

/** The API server without sockets: where requests go in, and what they act on. */
export interface World {
  readonly handle: Handle;
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly authorize: Authorize;
}

/** The store of a world and what reads it: made first, since what a world needs from outside may read them too. */
export interface Ground {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly authorize: Authorize;
}

/** What a world needs from outside. */
export interface WorldPorts extends Pick<
  Rooms,
  'authenticate' | 'bodies' | 'virtual' | 'serveDocument' | 'trackFields' | 'serviceClusterIpRange'
> {
  readonly clock: Clock;
  readonly newUid: NewUid;
  readonly random: Random;
  readonly callWebhook: CallWebhook;
  readonly parseYaml: ParseYaml;
  readonly plugins: { readonly enable: readonly string[]; readonly disable: readonly string[] };
  readonly observers: Observers;
}

/** An empty store with the catalogue of the built-in resources and the authorizer over its roles. */
export function createGround(authorizationMode: 'RBAC' | 'AlwaysAllow'): Ground {
  const store = createMemoryStore();
  const authorize = authorizationMode === 'RBAC' ? createRbacAuthorizer(createRuleResolver(store)) : alwaysAllow;
  return { store, catalogue: createBuiltinCatalogue(), authorize };
}

/** The whole path of a request over this ground. */
export function createWorld(ground: Ground, ports: WorldPorts): World {
  const codec = createCodec();
  const { store, catalogue, authorize } = ground;
  const { clock, random, newUid } = ports;
  const calls = webhookPorts(ground, ports, codec);
  const chain = createAdmissionChain({
    plugins: enabledPlugins(ports.plugins, [mutatingWebhookPlugin(calls), validatingWebhookPlugin(calls)]),
    pluginPorts: { cluster: store, random, authorize },
    clock,
  });
  const rooms: Rooms = {
    ...ports,
    ...ground,
    codec,
    chain,
    newUid,
    strategyFor,
    impersonate: (user, { headers }) => impersonate(user, headers, authorize),
  };
  return { handle: createHandle(rooms, ports.observers), store, catalogue, authorize };
}

const group = 'admissionregistration.k8s.io';

function webhookPorts({ store, catalogue }: Ground, ports: WorldPorts, codec: Codec): WebhookPorts {
  const { clock, newUid, callWebhook, parseYaml } = ports;
  const namespaces: ClusterView['get'] = store.get;
  return {
    clock,
    newUid,
    callWebhook,
    parseYaml,
    catalogue,
    codec,
    getNamespace: (name) => namespaces({ group: '', resource: 'namespaces' }, '', name),
    isCustom: () => false,
    mutatingConfigurations: () => store.list({ group, resource: 'mutatingwebhookconfigurations' }),
    validatingConfigurations: () => store.list({ group, resource: 'validatingwebhookconfigurations' }),
  };
}
