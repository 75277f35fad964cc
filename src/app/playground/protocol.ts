import type { Trace } from '../../explain/trace/trace.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

/** The texts of the tabs, all YAML: the state of the page. */
export interface PlaygroundTexts {
  /** `1.37`. */
  readonly release: string;
  /** A second release, whose answers are compared; or ''. */
  readonly compareWith: string;
  /** Kubernetes objects, many documents: configurations, policies, bindings, params, definitions, namespaces, RBAC. */
  readonly objects: string;
  /** The list under `webhooks:` of a scenario. */
  readonly webhooks: string;
  /** The list under `steps:` of a scenario. */
  readonly requests: string;
}

/** Messages of the page to the worker. */
export interface ToWorker {
  readonly type: 'run';
  /** Increases with every message; the worker drops all but the newest. */
  readonly run: number;
  readonly texts: PlaygroundTexts;
  /** False for a shared link before a click: scripts of stubs do not run. */
  readonly runFunctions: boolean;
}

/** Messages of the worker to the page. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly run: number; readonly result: PlaygroundResult };

export interface PlaygroundResult {
  /** YAML and schema errors, the API server's refusals of objects, and lint findings. */
  readonly problems: readonly PlaygroundProblem[];
  readonly answers: readonly PlaygroundAnswer[];
  /** The answers of `compareWith`, in the same order; [] without it. */
  readonly compared: readonly PlaygroundAnswer[];
  /** Real time of the run in the worker. */
  readonly milliseconds: number;
}

export type PlaygroundTab = 'objects' | 'webhooks' | 'requests';

export interface PlaygroundProblem {
  readonly tab: PlaygroundTab;
  /** UTF-16 offsets in the tab's text. */
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable: `syntax`, `schema`, `refused`, `limit` or the name of a lint rule. */
  readonly code: string;
  readonly message: string;
}

export interface PlaygroundAnswer {
  /** `create pods web in default`. */
  readonly title: string;
  /** The UTF-16 offset of the step in the requests' text. */
  readonly from: number;
  readonly code: number;
  /** What kubectl prints: `pod/web created`, `Error from server (Forbidden): …`, after lines `Warning: …`. */
  readonly printed: string;
  /** The failed expectations of the step in words. */
  readonly failures: readonly string[];
  /** Secrets are masked. */
  readonly trace: Trace | undefined;
  /** The stored object, or what the API server answered with. */
  readonly object: JsonObject | undefined;
  /** Virtual milliseconds. */
  readonly duration: number;
}

/** A question of the editor to the worker. */
export interface CompletionQuestion {
  /** `complete`: the words that may stand at the offset; `describe`: what the word there means. */
  readonly type: 'complete' | 'describe';
  /** Numbers the answer. */
  readonly question: number;
  readonly tab: PlaygroundTab;
  /** UTF-16, in the tab's text. */
  readonly offset: number;
  readonly texts: PlaygroundTexts;
}

export type CompletionAnswer =
  | {
      readonly type: 'completions';
      readonly question: number;
      /** Where the word at the offset begins. */
      readonly from: number;
      readonly items: readonly CompletionItem[];
    }
  | {
      readonly type: 'description';
      readonly question: number;
      readonly from: number;
      readonly to: number;
      /** undefined for a word without a meaning here. */
      readonly item: CompletionItem | undefined;
    };

export interface CompletionItem {
  readonly label: string;
  readonly kind: 'field' | 'value';
  /** `[]Container`, `string`. */
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}
