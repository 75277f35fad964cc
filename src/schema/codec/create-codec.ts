import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { Codec, Converted } from './codec.ts';
import { convertObject } from './convert.ts';
import { decodeDocument, decodeJson } from './decode.ts';
import { applyDefaults } from '../defaults/apply-defaults.ts';
import { foreignKind } from './foreign-kind.ts';
import { inFieldOrder } from '../types/field-order.ts';
import { storedForm } from './stored-form.ts';

/** A codec whose conversions never take time. */
export interface PromptCodec extends Codec {
  readonly convert: (object: KubernetesObject, kind: GroupVersionKind) => Converted;
}

/** The codec of the built-in kinds. */
export const createCodec = (): PromptCodec => ({
  decode: decodeJson,
  decodeValue: decodeDocument,
  foreign: foreignKind,
  applyDefaults: withDefaults,
  inFieldOrder,
  convert: convertObject,
  fromStorage: convertObject,
  toStorage,
});

const withDefaults = (object: KubernetesObject): KubernetesObject => inFieldOrder(applyDefaults(object), object);

function toStorage(object: KubernetesObject, kind: GroupVersionKind): Converted {
  const converted = convertObject(object, kind);
  if (converted.outcome === 'inconvertible') return converted;
  return { outcome: 'converted', object: storedForm(withDefaults(converted.object)) };
}
