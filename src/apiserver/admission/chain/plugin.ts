import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import type { Clock, Random } from '../../../machinery/clock.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { OwnRequests } from '../../../machinery/meta/own-requests.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { KnownKinds } from '../../../api/types/catalogue/rest-mapping.ts';
import type { Codec } from '../../../api/codec/codec.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { CallWebhook } from '../webhooks/call.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';

/** A compiled-in admission plugin: pure decisions over the request and the cluster as informers show it. */
export interface BuiltinPlugin {
  /** Upstream's name, as the flags and the audit log spell it. */
  readonly name: string;
  readonly operations: readonly Operation[];
  /** The object as the plugin leaves it (the same one when it changes nothing), or the refusal. */
  readonly mutate?: DecideNow;
  readonly validate?: DecideNow;
}

/** A plugin that awaits authorization, a backend or a write through `ports.api`. */
export interface AsyncPlugin extends Pick<BuiltinPlugin, 'name' | 'operations'> {
  readonly mutate?: Decide;
  readonly validate?: Decide;
}

/** One that keeps state between requests is made anew for each chain. */
export type CompiledInPlugin = BuiltinPlugin | AsyncPlugin;

export interface Decide extends Choosy {
  (request: AdmissionAttributes, ports: PluginPorts): Promise<Result<PluginAnswer>>;
}

export interface DecideNow extends Choosy {
  (request: AdmissionAttributes, ports: PluginPorts): Result<PluginAnswer>;
}

interface Choosy {
  /** The resources that it looks at, absent for all: where none of them is written it is not asked, and passes. */
  readonly only?: readonly GroupResource[];
}

export interface PluginAnswer {
  readonly object: KubernetesObject | null;
  readonly warnings?: readonly string[];
  /** Audit annotations, by their full keys. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** A refusal that leaves annotations. */
  readonly refusal?: Status;
  /** Where the limit comes from by which it refuses. */
  readonly refusedBy?: RefusalSource;
  /** What counters of its own shall count. */
  readonly counts?: readonly PluginCount[];
}

/** One more of a counter that a plugin has for itself, by upstream's name. */
export interface PluginCount {
  readonly metric: string;
  /** The values of its labels, in their order. */
  readonly labels: readonly string[];
}

export interface PluginPorts {
  readonly cluster: ClusterView;
  readonly random: Random;
  readonly authorize: Authorize;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: Clock['sleep'];
  /** Waits for the next turn of the event loop. */
  readonly nextTurn: () => Promise<void>;
  readonly api: OwnRequests;
  readonly callWebhook: CallWebhook;
  readonly catalogue: KnownKinds;
  readonly codec: Codec;
}

/** Where the limit comes from by which a compiled-in plugin refuses. */
export interface RefusalSource {
  /** Of a stored object; `file`, `permission` or `rule` for what stands elsewhere: refused-by.ts. */
  readonly kind: string;
  /** Empty for a cluster-scoped one. */
  readonly namespace: string;
  readonly name: string;
  /** What of it decides: `spec.hard`, a label. */
  readonly field: string;
  /** The field of the request that is refused; absent where the message has it. */
  readonly refused?: string;
  /** What it may be. */
  readonly allowed?: string;
}
