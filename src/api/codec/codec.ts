import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { JsonDocument, JsonValue } from '../../machinery/json/json.ts';
import type { JsonText } from '../../machinery/json/json-reader.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import type { InFieldOrder } from '../types/field-order.ts';
import type { AlignEmpty } from './align-empty.ts';
import type { DecodeType } from './decode.ts';
import type { Decoded } from './decoded.ts';
import type { ObjectForm } from './stored-form.ts';

/**
 * Bodies to objects. Every object that comes out is what Go holds after decoding: fields in Go's order, unknown ones gone,
 * quantities canonical, non-omitempty zero values present. Lists, maps and bytes without entries stay where they were sent,
 * and so does what Go keeps behind a pointer, be it `""`; `printed` leaves out what `omitempty` does.
 */
export interface Codec {
  /** The built-in types that it knows. */
  readonly types: BuiltinTypes;
  /** Reads a JSON body as `kind`; nothing is defaulted. `kind` and `apiVersion` missing from the body are filled in. */
  readonly decode: (text: JsonText, kind: GroupVersionKind) => Decoded;
  /** The same for a value that is already in memory: a patched document. Duplicates cannot occur. */
  readonly decodeValue: (value: JsonDocument, kind: GroupVersionKind) => Decoded;
  /** What a server-side apply has come to, where that is not decoded as any other value; undefined for other kinds. */
  readonly decodeMerged?: (value: JsonValue, kind: GroupVersionKind) => Decoded | undefined;
  /** A value as a built-in type that has no kind of its own: `meta.v1.DeleteOptions`. */
  readonly decodeType: DecodeType;
  /** Why a body that states this type cannot become the endpoint's; undefined when it can, in whatever version. */
  readonly foreign: (sent: SentType, endpoint: GroupVersionKind) => string | undefined;
  /** Fills the static defaults of the object's version and takes it through the internal one, as on every decode upstream. */
  readonly applyDefaults: (object: KubernetesObject) => KubernetesObject;
  /** Fills the static defaults alone, as upstream does after each mutation. */
  readonly setDefaults: (object: KubernetesObject) => KubernetesObject;
  /** The object as Go prints it after fields were set; what it shares with `before` is in order. The same one when it is so. */
  readonly inFieldOrder: InFieldOrder;
  /** The object as Go's JSON encoder prints it, for clients, webhooks and policies: without the empty lists and maps of omitempty fields. */
  readonly printed: ObjectForm;
  /** The object as it comes back from storage. Of two objects in this form, those with the same data are the same. */
  readonly stored: ObjectForm;
  /** The first object with the empty lists and maps of the second one: with it, rules compare as apiequality.Semantic does. */
  readonly alignEmpty: AlignEmpty;
  /** The object as another version of its kind; asynchronous, since a webhook may convert. The error text is upstream's. */
  readonly convert: (object: KubernetesObject, kind: GroupVersionKind) => Promise<Converted>;
  /** The same into the object of this kind that exists: fields that the conversion leaves alone keep their values there. */
  readonly convertInto: (
    object: KubernetesObject,
    kind: GroupVersionKind,
    existing: KubernetesObject,
  ) => Promise<Converted>;
  /** A stored object as a version shows it. */
  readonly fromStorage: (object: KubernetesObject, kind: GroupVersionKind) => Promise<Converted>;
  /** What is stored of an object: in the version it is stored in, with that version's defaults. */
  readonly toStorage: (
    object: KubernetesObject,
    kind: GroupVersionKind,
    options?: { readonly dryRun: boolean },
  ) => Promise<Converted>;
}

/** What a body says it is. */
export interface SentType {
  readonly apiVersion: string;
  readonly kind: string;
}

export type Converted =
  | { readonly outcome: 'converted'; readonly object: KubernetesObject }
  /** `isBare`: the client reads the text as it is, not as an internal error. */
  | { readonly outcome: 'inconvertible'; readonly error: string; readonly isBare?: true };
