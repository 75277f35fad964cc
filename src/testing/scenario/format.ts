import type { JsonObject } from '../../machinery/json/json.ts';
import type { ApiFault } from '../stubs/api-fault.ts';
import type { PluginScript } from '../stubs/load-plugin.ts';
import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import type { Assumption, WorldUser } from './world.ts';

/** A scenario as it runs: read, checked, its files read in, its short forms spelled out. docs/reference/scenario-format.md. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** The scenario.yaml, and the folder that its paths start from. */
  readonly file: string;
  readonly folder: string;
  readonly clock: 'virtual' | 'real';
  readonly seed: number;
  readonly controllers: readonly string[];
  /** So many nodes on which Pods live; 0: they stay Pending. */
  readonly nodes: number;
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** Admission plugins of its own, each a file; undefined: none. */
  readonly plugins?: readonly PluginScript[];
  readonly authorizationMode: 'RBAC' | 'AlwaysAllow';
  /** The release that is followed, such as `1.32`; the newest when it is left out. */
  readonly kubernetesVersion?: string;
  /** Shuffles the policies and their bindings; they come by name when it is left out or 0. */
  readonly policySeed?: number;
  /** What to take for the answers of webhooks that nobody runs. */
  readonly assume?: readonly Assumption[];
  /** Stored through the pipeline as kubernetes-admin before the first step: namespaces first, configurations last. */
  readonly load: readonly LoadedManifest[];
  readonly webhooks: readonly WebhookSpec[];
  /** The converters of definitions, under the names by which they are called. */
  readonly converters?: readonly WebhookSpec[];
  /** What goes wrong at the API itself while the steps run; undefined: nothing. */
  readonly apiFaults?: readonly ApiFault[];
  readonly steps: readonly Step[];
  /** The axes of a matrix; [] for a scenario that runs once. Each combination is a run of its own. */
  readonly matrix: readonly MatrixAxis[];
}

export interface LoadedManifest {
  readonly object: JsonObject;
  readonly place: Place;
}

/** Where something stands: lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Step {
  readonly name: string;
  readonly place: Place;
  readonly action: Action;
  readonly as: WorldUser | undefined;
  readonly dryRun: boolean;
  readonly expect: Expectation;
  /** Runs on the targets that can: `kadmit` alone, or any server. Empty: any. */
  readonly only: readonly ('kadmit' | 'target')[];
  /** Of a matrix: runs only where each of these axes has one of these values. {}: always. */
  readonly when: Readonly<Record<string, readonly string[]>>;
}

/** What a step does. Paths of objects are read when the scenario is; one object a step, a file of several is a step each. */
export type Action =
  | {
      readonly type: 'create' | 'update';
      readonly object: JsonObject;
      readonly fieldManager?: string;
      /** `status`, or with its resource when the object does not tell it: `pods/eviction`, `deployments/scale`. */
      readonly subresource?: string;
      /** Where it is sent instead of its own address. */
      readonly target?: ObjectRef;
    }
  /** Server-side apply. */
  | {
      readonly type: 'apply';
      readonly object: JsonObject;
      readonly fieldManager: string;
      readonly force: boolean;
      readonly subresource?: string;
      readonly target?: ObjectRef;
    }
  | {
      readonly type: 'patch';
      readonly target: ObjectRef;
      readonly patchType: 'json' | 'merge' | 'strategic';
      readonly patch: JsonObject | readonly JsonObject[];
      readonly fieldManager?: string;
    }
  | { readonly type: 'delete'; readonly target: ObjectRef; readonly options: JsonObject }
  | { readonly type: 'deletecollection'; readonly target: CollectionRef }
  | {
      readonly type: 'connect';
      readonly target: ObjectRef;
      readonly query: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly type: 'get'; readonly target: ObjectRef }
  /** Until the object is gone, there, or contains this; `timeoutMs` on the world's clock. */
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

/** `resource` is what kubectl takes: a plural, a short name, a kind, `deployments.apps`; with `/scale` for a subresource. */
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

/** What a step must show; undefined fields are not looked at, but an unexpected refusal fails the step. */
export interface Expectation {
  readonly place: Place;
  /** Where its fields stand, by name; one that is not here stands at `place`. */
  readonly places?: Readonly<Record<string, Place>>;
  /** 'refused' also when deniedBy, message, reason or a code from 400 up say so. */
  readonly outcome: 'admitted' | 'refused' | undefined;
  /** A webhook, policy or plugin by name. */
  readonly deniedBy: string | undefined;
  readonly code: number | undefined;
  readonly reason: string | undefined;
  readonly message: TextExpectation | undefined;
  readonly webhooks: readonly WebhookExpectation[];
  readonly policies: readonly PolicyExpectation[];
  /** The webhooks called, in this order, those called twice twice; nobody else. */
  readonly order: readonly string[] | undefined;
  /** The rules of what is found, each once: all faults, and notes where they are named. */
  readonly findings: readonly string[] | undefined;
  /** All warnings, in order. */
  readonly warnings: readonly TextExpectation[] | undefined;
  /** These annotations, perhaps among others; null: it must not be there. */
  readonly auditAnnotations: Readonly<Record<string, TextExpectation | null>>;
  /** The object as answered contains this. */
  readonly object: JsonObject | undefined;
  /** The object as answered is this, but for what the server fills in. */
  readonly exactly: JsonObject | undefined;
  /** A file with the object as answered, the changing parts replaced; from where the scenario's own path starts. */
  readonly golden: string | undefined;
  /** How many objects of these resources there are when the controllers have come to rest, outside of `kube-` namespaces. */
  readonly settled: Readonly<Record<string, number>> | undefined;
  /** `elapsed: 34s` is min and max at once; on a real clock the runner allows for what machines take. */
  readonly elapsedMs: { readonly min: number; readonly max: number } | undefined;
}

export type TextExpectation = { readonly exact: string } | { readonly pattern: RegExp };

export interface WebhookExpectation {
  readonly place: Place;
  readonly name: string;
  readonly configuration: string | undefined;
  /** `skipped` may name the reason as the trace does: its `because` (namespaceSelector, …), or the `detail` of not-reinvoked. */
  readonly outcome: 'called' | 'skipped' | 'denied' | 'failed-open' | 'failed-closed' | 'refused' | undefined;
  readonly because: string | undefined;
  /** In which round; undefined: any. */
  readonly round: 0 | 1 | undefined;
  /** How often it was called, over all rounds. */
  readonly times: number | undefined;
  /** Mutating or validating, where a configuration of each kind has the same names; undefined: either. */
  readonly admission?: 'mutating' | 'validating' | undefined;
  /** Its patch, all of it; null: none. */
  readonly patch: readonly JsonObject[] | null | undefined;
  readonly phase: string | undefined;
  readonly error: TextExpectation | undefined;
  readonly warnings: readonly TextExpectation[] | undefined;
  readonly auditAnnotations: Readonly<Record<string, string>> | undefined;
}

export interface PolicyExpectation {
  readonly place: Place;
  readonly name: string;
  readonly outcome: 'evaluated' | 'skipped' | 'denied' | 'failed-open' | 'failed-closed' | undefined;
  /** Of a skipped one: the clause, as the trace names it. */
  readonly because: string | undefined;
  /** Only the turns of this binding; undefined: any. */
  readonly binding: string | undefined;
  /** The object after this mutating policy contains this. */
  readonly object: JsonObject | undefined;
  /** Did it change the object? */
  readonly changed: boolean | undefined;
}

/** One axis of the matrix: each value changes the scenario in its way. */
export interface MatrixAxis {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly change: MatrixChange }[];
}

export interface MatrixChange {
  /** Stored after what the scenario loads. */
  readonly load?: readonly LoadedManifest[];
  readonly webhooks?: readonly {
    /** `*`: all webhooks of the scenario. */
    readonly name: string;
    readonly does?: WebhookSpec['does'];
    readonly faults?: WebhookSpec['faults'];
    /** Fields of its `webhooks[]` entry in the configurations loaded: failurePolicy, timeoutSeconds, … */
    readonly fields?: JsonObject;
  }[];
  /** Names of mutating configurations in the order wanted: they are renamed to get it. */
  readonly order?: readonly string[];
  readonly policySeed?: number;
  readonly kubernetesVersion?: string;
}
