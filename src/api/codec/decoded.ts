import type { KubernetesObject } from '../../machinery/meta/object.ts';

export type Decoded =
  /** `strict`: strict decoding errors in document order: `unknown field "spec.x"`, `duplicate field "a"`. */
  | { readonly outcome: 'decoded'; readonly object: KubernetesObject; readonly strict: readonly string[] }
  /** Upstream's text: `json: cannot unmarshal string into Go struct field …`. */
  | { readonly outcome: 'undecodable'; readonly error: string };
