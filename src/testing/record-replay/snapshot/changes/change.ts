import type { JsonObject } from '../../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';

/** What is changed: a ResourcePatch names its resource, an event of a watch its kind. */
export interface ChangeTarget {
  readonly group: string;
  readonly version: string;
  readonly resource?: string;
  readonly kind?: string;
  /** '' for what is in none. */
  readonly namespace: string;
  readonly name: string;
}

/** One change of a recording: `at` is how many milliseconds of the recording had passed. */
export type Change = { readonly at: number; readonly target: ChangeTarget } & ChangeAct;

type ChangeAct =
  /** As it was after the change, whether or not it was there before. */
  | { readonly act: 'put'; readonly object: KubernetesObject }
  /** A strategic merge patch of all that changed, status and metadata of the server included. */
  | { readonly act: 'patch'; readonly patch: JsonObject }
  | { readonly act: 'remove' };

/** What a recording consists of: the objects that were there when it began, then the changes. */
export type Recorded =
  | { readonly type: 'object'; readonly object: KubernetesObject }
  | { readonly type: 'change'; readonly change: Change };
