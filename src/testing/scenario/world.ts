import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { PluginScript } from '../stubs/load-plugin.ts';
import type { ApiFaults } from '../stubs/with-api-faults.ts';
import type { Switchboard } from '../stubs/switchboard.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/**
 * The server as a scenario sees it. Filled in process by the root (a fork, perhaps with virtual time), and by an HTTPS
 * client for a server behind a kubeconfig.
 */
export interface World {
  /** Sends one request and waits for its answer; with virtual time, time passes meanwhile as it has to. */
  readonly send: (request: WorldRequest) => Promise<WorldAnswer>;
  /** How a kind is served; undefined when it is not. */
  readonly resourceOf: (kind: GroupVersionKind) => Promise<WorldResource | undefined>;
  /** Finds a resource by its plural, singular, short name or kind, as kubectl does. */
  readonly findResource: (name: string) => Promise<WorldResource | undefined>;
  /** Waits until the controllers have done what the writes so far ask for. */
  readonly settle: () => Promise<void>;
  /** Milliseconds since 1970 on this world's clock. */
  readonly now: () => number;
  /** Lets so many milliseconds pass: at once with virtual time. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Whether traces come with the answers: kadmit's own do, other servers' do not. */
  readonly tells: boolean;
  readonly close: () => Promise<void>;
}

export interface WorldRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: JsonObject | readonly JsonObject[];
  /** JSON unless something else is said. */
  readonly contentType?: string;
  /** Undefined: the owner of the kubeconfig, kubernetes-admin of system:masters. */
  readonly as?: WorldUser;
}

export interface WorldUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface WorldAnswer {
  readonly code: number;
  /** The object, list or Status. */
  readonly body: JsonObject;
  readonly warnings: readonly string[];
  /** Milliseconds on the world's clock. */
  readonly milliseconds: number;
  /** Undefined for reads, and on a server that keeps no traces. */
  readonly trace: Trace | undefined;
}

export interface WorldResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** Makes worlds that know nothing of each other. */
export interface Worlds {
  readonly create: (setup: WorldSetup) => Promise<World>;
  readonly close: () => Promise<void>;
}

export interface WorldSetup {
  /** Answers the calls to webhooks. */
  readonly switchboard: Switchboard;
  /** What goes wrong with requests at the API itself; only a server of our own can do that. */
  readonly faultyApi?: ApiFaults;
  readonly clock: 'virtual' | 'real';
  /** Decides uids and chance. */
  readonly seed: number;
  /** Controllers as `--controllers` takes them. */
  readonly controllers: readonly string[];
  /** So many nodes on which Pods live; none unless said. */
  readonly nodes?: number;
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** Admission plugins of the scenario's own; only a server of our own has them. */
  readonly ownPlugins?: readonly PluginScript['plugin'][];
  readonly authorizationMode: 'RBAC' | 'AlwaysAllow';
  /** What to take for the answers of webhooks that are not on the switchboard; only a server of our own can do that. */
  readonly assume?: readonly Assumption[];
  /** Do its traces tell which branches of expressions were taken? Only a server of our own can. */
  readonly coverage?: boolean;
  /** Shuffles the policies and their bindings; only a server of our own can do that. */
  readonly policySeed?: number;
  /** The release that is followed; only a server of our own has several. */
  readonly kubernetesVersion?: string;
  /**
   * For trials: the mutating webhooks that are asked now, as `CONFIGURATION/WEBHOOK`, in this order, one that stands there
   * twice twice; undefined: all, by name. Only a server of our own can do that.
   */
  readonly mutatingTurns?: () => readonly string[] | undefined;
  /** Who acts beside the owner of the kubeconfig; a server elsewhere has to be told that they may. */
  readonly users?: readonly WorldUser[];
}

/** `webhook` is a webhook, a configuration, `CONFIGURATION/WEBHOOK`, or `*` for whoever has no backend. */
export interface Assumption {
  readonly webhook: string;
  readonly verdict: 'allow' | 'deny' | 'ignore';
}
