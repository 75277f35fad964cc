import type { JsonObject } from '../../machinery/json/json.ts';
import type { ApiFault } from '../stubs/api-fault.ts';
import type { PluginScript } from '../stubs/load-plugin.ts';
import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import type { WorldAssumption, WorldUser } from './world.ts';

/** A scenario with its files read and its short forms expanded. docs/reference/scenario-format.md. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** The scenario.yaml; its paths are relative to `folder`. */
  readonly file: string;
  readonly folder: string;
  readonly clock: 'virtual' | 'real';
  readonly seed: number;
  readonly controllers: readonly string[];
  /** Simulated nodes; with 0 Pods stay Pending. */
  readonly nodes: number;
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  readonly plugins?: readonly PluginScript[];
  readonly authorizationMode: 'RBAC' | 'AlwaysAllow';
  /** Such as `1.33`; the one that kadmit follows by default. */
  readonly kubernetesVersion?: string;
  /** Shuffles policies and bindings; by name without it or with 0. */
  readonly policySeed?: number;
  /** Responses for webhooks without a backend. */
  readonly assume?: readonly WorldAssumption[];
  /** Stored as kubernetes-admin before the first step: namespaces first, configurations last. */
  readonly load: readonly LoadedManifest[];
  readonly webhooks: readonly WebhookSpec[];
  /** Conversion stubs, named by converterName. */
  readonly converters?: readonly WebhookSpec[];
  /** Faults of the API itself while the steps run. */
  readonly apiFaults?: readonly ApiFault[];
  readonly steps: readonly ScenarioStep[];
  /** [] for a scenario without a matrix. Each combination is a run. */
  readonly matrix: readonly MatrixAxis[];
}

export interface LoadedManifest {
  readonly object: JsonObject;
  readonly place: SourceLocation;
}

/** Lines and columns count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ScenarioStep {
  readonly name: string;
  readonly place: SourceLocation;
  readonly action: StepAction;
  readonly as: WorldUser | undefined;
  readonly dryRun: boolean;
  readonly expect: Expectation;
  /** Empty: any server. */
  readonly only: readonly ('kadmit' | 'target')[];
  /** Matrix values by axis; {}: always. */
  readonly when: Readonly<Record<string, readonly string[]>>;
}

/** One object per step; a file with several is several steps. */
export type StepAction =
  | {
      readonly type: 'create' | 'update';
      readonly object: JsonObject;
      readonly fieldManager?: string | undefined;
      /** `status`, or with its resource when the object does not determine it: `pods/eviction`, `deployments/scale`. */
      readonly subresource?: string | undefined;
      /** Overrides the object's own path. */
      readonly target?: ObjectRef | undefined;
    }
  | {
      readonly type: 'apply';
      readonly object: JsonObject;
      readonly fieldManager: string;
      readonly force: boolean;
      readonly subresource?: string | undefined;
      readonly target?: ObjectRef | undefined;
    }
  | {
      readonly type: 'patch';
      readonly target: ObjectRef;
      readonly patchType: 'json' | 'merge' | 'strategic';
      readonly patch: JsonObject | readonly JsonObject[];
      readonly fieldManager?: string | undefined;
    }
  | { readonly type: 'delete'; readonly target: ObjectRef; readonly options: JsonObject }
  | { readonly type: 'deletecollection'; readonly target: CollectionRef }
  | {
      readonly type: 'connect';
      readonly target: ObjectRef;
      readonly query: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly type: 'get'; readonly target: ObjectRef }
  /** `timeoutMs` on the world's clock. */
  | {
      readonly type: 'wait';
      readonly target: ObjectRef;
      readonly until: 'exists' | 'gone' | JsonObject;
      readonly timeoutMs: number;
    }
  | { readonly type: 'advance'; readonly milliseconds: number }
  | {
      readonly type: 'configure';
      readonly webhook: string;
      readonly change: Partial<Pick<WebhookSpec, 'does' | 'faults' | 'to'>>;
    };

/** `resource` as kubectl takes it: a plural, short name, kind or `deployments.apps`. */
export interface ObjectRef {
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface CollectionRef {
  readonly resource: string;
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** Undefined fields are not checked, but an unexpected refusal fails the step. */
export interface Expectation {
  readonly place: SourceLocation;
  /** Places of its fields by name; `place` for the others. */
  readonly places?: Readonly<Record<string, SourceLocation>>;
  /** 'refused' is also implied by deniedBy, message, reason or a code from 400. */
  readonly outcome?: 'admitted' | 'refused' | undefined;
  /** Name of a webhook, policy or plugin. */
  readonly deniedBy?: string | undefined;
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
  readonly message?: TextExpectation | undefined;
  readonly webhooks: readonly WebhookExpectation[];
  readonly policies: readonly PolicyExpectation[];
  /** Exactly the called webhooks in order; one called twice is listed twice. */
  readonly order?: readonly string[] | undefined;
  /** Rules of all warnings and errors, and of notes that are named. */
  readonly findings?: readonly string[] | undefined;
  readonly warnings?: readonly TextExpectation[] | undefined;
  /** null: must be absent. */
  readonly auditAnnotations: Readonly<Record<string, TextExpectation | null>>;
  /** Fields that the object must contain. */
  readonly object?: JsonObject | undefined;
  /** The whole object, except fields that the server fills in. */
  readonly exactly?: JsonObject | undefined;
  /** A file with the object, changing values replaced; relative like the scenario's own path. */
  readonly golden?: string | undefined;
  /** Objects by resource once controllers are idle, without `kube-` namespaces. */
  readonly settled?: Readonly<Record<string, number>> | undefined;
  /** A real clock has a tolerance. */
  readonly elapsedMs?: { readonly min: number; readonly max: number } | undefined;
}

export type TextExpectation = { readonly exact: string } | { readonly pattern: RegExp };

export const webhookOutcomes = ['called', 'skipped', 'denied', 'failed-open', 'failed-closed', 'refused'] as const;

export interface WebhookExpectation {
  readonly place: SourceLocation;
  readonly name: string;
  readonly configuration?: string | undefined;
  readonly outcome?: (typeof webhookOutcomes)[number] | undefined;
  readonly because?: string | undefined;
  /** undefined: either. */
  readonly round?: 0 | 1 | undefined;
  /** Calls over all rounds. */
  readonly times?: number | undefined;
  /** When configurations of both types have equal names; undefined: either. */
  readonly admission?: 'mutating' | 'validating' | undefined;
  /** The whole patch; null: none. */
  readonly patch?: readonly JsonObject[] | null | undefined;
  readonly phase?: string | undefined;
  readonly error?: TextExpectation | undefined;
  readonly warnings?: readonly TextExpectation[] | undefined;
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

export const policyOutcomes = ['evaluated', 'skipped', 'denied', 'failed-open', 'failed-closed'] as const;

export interface PolicyExpectation {
  readonly place: SourceLocation;
  readonly name: string;
  readonly outcome?: (typeof policyOutcomes)[number] | undefined;
  /** The trace's reason for `skipped`. */
  readonly because?: string | undefined;
  /** undefined: any. */
  readonly binding?: string | undefined;
  /** Contained in the object after this mutating policy. */
  readonly object?: JsonObject | undefined;
  readonly changed?: boolean | undefined;
}

export interface MatrixAxis {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly change: MatrixChange }[];
}

export interface MatrixChange {
  /** Stored after the scenario's own. */
  readonly load?: readonly LoadedManifest[];
  readonly webhooks?: readonly {
    /** `*`: all webhooks. */
    readonly name: string;
    readonly does?: WebhookSpec['does'];
    readonly faults?: WebhookSpec['faults'];
    /** Fields of its `webhooks[]` entry: failurePolicy, timeoutSeconds, … */
    readonly fields?: JsonObject;
  }[];
  /** Mutating configurations in call order: they are renamed to sort like this. */
  readonly order?: readonly string[];
  readonly policySeed?: number;
  readonly kubernetesVersion?: string;
}
