import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { PluginScript } from '../stubs/load-plugin.ts';
import type { ApiFaults } from '../stubs/with-api-faults.ts';
import type { StubRegistry } from '../stubs/stub-registry.ts';
import type { Trace } from '../../explain/trace/trace.ts';

/** A server for scenarios: in process, or behind a kubeconfig by HTTPS. */
export interface ScenarioWorld {
  /** A virtual clock advances as needed. */
  readonly send: (request: WorldRequest) => Promise<WorldAnswer>;
  /** undefined when the kind is not served. */
  readonly resourceOf: (kind: GroupVersionKind) => Promise<WorldResource | undefined>;
  /** By plural, singular, short name or kind, like kubectl. */
  readonly findResource: (name: string) => Promise<WorldResource | undefined>;
  /** Waits until the controllers are idle. */
  readonly settle: () => Promise<void>;
  /** Milliseconds since 1970 on this world's clock. */
  readonly now: () => number;
  /** Immediate with a virtual clock. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Only kadmit returns traces. */
  readonly hasTraces: boolean;
  readonly close: () => Promise<void>;
}

export interface WorldRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: JsonObject | readonly JsonObject[] | undefined;
  /** JSON by default. */
  readonly contentType?: string;
  /** undefined: the owner of the kubeconfig, kubernetes-admin of system:masters. */
  readonly as?: WorldUser | undefined;
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
  /** undefined for reads and on servers without traces. */
  readonly trace: Trace | undefined;
}

export interface WorldResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface Worlds {
  readonly create: (setup: WorldSetup) => Promise<ScenarioWorld>;
  readonly close: () => Promise<void>;
}

export interface WorldSetup {
  /** Answers webhook calls. */
  readonly stubRegistry: StubRegistry;
  /** Faults of the API itself; kadmit only. */
  readonly faultyApi?: ApiFaults;
  readonly clock: 'virtual' | 'real';
  /** For uids and random decisions. */
  readonly seed: number;
  /** As for `--controllers`. */
  readonly controllers: readonly string[];
  /** Simulated nodes; 0 by default. */
  readonly nodes?: number;
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** kadmit only. */
  readonly ownPlugins?: readonly PluginScript['plugin'][];
  readonly authorizationMode: 'RBAC' | 'AlwaysAllow';
  /** Responses for webhooks without a stub; kadmit only. */
  readonly assume?: readonly WorldAssumption[];
  /** Records the expression branches taken; kadmit only. */
  readonly coverage?: boolean;
  /** Shuffles policies and bindings; kadmit only. */
  readonly policySeed?: number;
  /** kadmit only. */
  readonly kubernetesVersion?: string;
  /**
   * For trials: the mutating webhooks to call as `CONFIGURATION/WEBHOOK` in order, repeats allowed; undefined: all, by name. kadmit only.
   */
  readonly mutatingOrder?: () => readonly string[] | undefined;
  /** Users besides the owner of the kubeconfig; another server needs role bindings for them. */
  readonly users?: readonly WorldUser[];
}

/** `webhook` is a webhook, a configuration, `CONFIGURATION/WEBHOOK`, or `*` for every webhook without a backend. */
export interface WorldAssumption {
  readonly webhook: string;
  readonly verdict: 'allow' | 'deny' | 'ignore';
}
