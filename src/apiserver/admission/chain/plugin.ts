import type { ClusterView, LoopbackClient } from '../../../machinery/meta/cluster-view.ts';
import type { Clock, Random } from '../../../machinery/clock.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { KnownKinds } from '../../../api/types/catalogue/catalogue.ts';
import type { Codec } from '../../../api/codec/codec.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { CallWebhook } from '../webhooks/call.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';

/** A pure function of the request and of the cluster as informers show it. */
export interface SyncPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Returns the mutated object (the same one if unchanged) or the refusal. */
  readonly mutate?: DecideSync;
  readonly validate?: DecideSync;
}

export interface AsyncPlugin extends Pick<SyncPlugin, 'name' | 'operations'> {
  readonly mutate?: Decide;
  readonly validate?: Decide;
}

/** A plugin that is part of kadmit. One with state between requests is created once per chain. */
export type BuiltinPlugin = SyncPlugin | AsyncPlugin;

export interface Decide extends ResourceFilter {
  (request: AdmissionAttributes, ports: PluginPorts): Promise<Result<PluginAnswer>>;
}

export interface DecideSync extends ResourceFilter {
  (request: AdmissionAttributes, ports: PluginPorts): Result<PluginAnswer>;
}

interface ResourceFilter {
  /** The resources that the plugin handles; absent: all. */
  readonly only?: readonly GroupResource[];
}

export interface PluginAnswer {
  readonly object: KubernetesObject | null;
  readonly warnings?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly refusal?: Status;
  /** The source of the violated limit. */
  readonly refusedBy?: RefusalSource;
  readonly counts?: readonly PluginCount[];
}

/** One increment of a counter with upstream's name. */
export interface PluginCount {
  readonly metric: string;
  readonly labels: readonly string[];
}

export interface PluginPorts {
  readonly cluster: ClusterView;
  readonly random: Random;
  readonly authorize: Authorize;
  readonly now: () => number;
  readonly sleep: Clock['sleep'];
  /** Waits for the next iteration of the event loop. */
  readonly nextIteration: () => Promise<void>;
  readonly api: LoopbackClient;
  readonly callWebhook: CallWebhook;
  readonly catalogue: KnownKinds;
  readonly codec: Codec;
}

/** The source of the limit that a compiled-in plugin enforces. */
export interface RefusalSource {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The field with the limit: `spec.hard`, a label. */
  readonly field: string;
  /** The refused field of the request; absent where the message has it. */
  readonly refused?: string;
  readonly allowed?: string;
}
