import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { JsonDocument, JsonValue } from '../../machinery/json/json.ts';
import type { JsonText } from '../../machinery/json/json-reader.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import type { InFieldOrder } from '../types/field-order.ts';
import type { AlignEmpty, ObjectForm } from './stored-form.ts';
import type { DecodeType, Decoded } from './decode.ts';

/**
 * Decodes bodies into what Go has after decoding: Go's field order, no unknown fields, canonical quantities, zero
 * values without omitempty. Empty lists, maps and pointers to empty values stay; `printed` omits them.
 */
export interface Codec {
  readonly types: BuiltinTypes;
  /** Without defaults. `kind` and `apiVersion` missing from the body are filled in. */
  readonly decode: (text: JsonText, kind: GroupVersionKind) => Decoded;
  /** For a value already in memory, such as a patched document. */
  readonly decodeValue: (value: JsonDocument, kind: GroupVersionKind) => Decoded;
  /** The result of a server-side apply for kinds that decode it differently; undefined for other kinds. */
  readonly decodeMerged?: (value: JsonValue, kind: GroupVersionKind) => Decoded | undefined;
  /** A type without a kind of its own: `meta.v1.DeleteOptions`. */
  readonly decodeType: DecodeType;
  /** Why a body of type `sent` cannot become the endpoint's kind; undefined when it can. */
  readonly foreign: (sent: SentType, endpoint: GroupVersionKind) => string | undefined;
  /** Static defaults and a round trip through the internal version, as on every upstream decode. */
  readonly applyDefaults: (object: KubernetesObject) => KubernetesObject;
  /** Static defaults alone, as upstream applies after each mutation. */
  readonly setDefaults: (object: KubernetesObject) => KubernetesObject;
  /** Restores Go's field order after fields were set; parts shared with `before` are in order. */
  readonly inFieldOrder: InFieldOrder;
  /** As Go's JSON encoder prints it: without empty omitempty fields. */
  readonly printed: ObjectForm;
  /** As read back from storage; equal data gives equal objects. */
  readonly stored: ObjectForm;
  readonly alignEmpty: AlignEmpty;
  /** To another version of its kind; asynchronous, since a webhook may convert. The error text is upstream's. */
  readonly convert: (object: KubernetesObject, kind: GroupVersionKind) => Promise<Converted>;
  /** Into an existing object: fields that the conversion does not set keep their values. */
  readonly convertInto: (
    object: KubernetesObject,
    kind: GroupVersionKind,
    existing: KubernetesObject,
  ) => Promise<Converted>;
  readonly fromStorage: (object: KubernetesObject, kind: GroupVersionKind) => Promise<Converted>;
  /** In the storage version, with its defaults. */
  readonly toStorage: (
    object: KubernetesObject,
    kind: GroupVersionKind,
    options?: { readonly dryRun: boolean },
  ) => Promise<Converted>;
}

export interface SentType {
  readonly apiVersion: string;
  readonly kind: string;
}

export type Converted =
  | { readonly outcome: 'converted'; readonly object: KubernetesObject }
  /** `isBare`: the error text is returned as is, not as an internal error. */
  | { readonly outcome: 'inconvertible'; readonly error: string; readonly isBare?: true };
