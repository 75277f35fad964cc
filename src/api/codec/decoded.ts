import type { KubernetesObject } from '../../machinery/meta/object.ts';

/** What a body came to. */
export type Decoded =
  /** `strict` are the complaints of strict decoding in document order: `unknown field "spec.x"`, `duplicate field "a"`. */
  | { readonly outcome: 'decoded'; readonly object: KubernetesObject; readonly strict: readonly string[] }
  /** The text is upstream's: `json: cannot unmarshal string into Go struct field …`. */
  | { readonly outcome: 'undecodable'; readonly error: string };
