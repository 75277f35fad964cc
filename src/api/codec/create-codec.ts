import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { defaultsWhere } from './defaults/gated-defaults.ts';
import type { BuiltinTypes } from '../types/builtin-types.ts';
import { createFieldOrder } from '../types/field-order.ts';
import type { Codec, Converted } from './codec.ts';
import { createAlignEmpty } from './align-empty.ts';
import { convertObject, convertObjectInto, throughInternal } from './convert.ts';
import { createDecoder } from './decode.ts';
import { foreignKind } from './foreign-kind.ts';
import { createPrintedForm, createShownForm, createStoredForm } from './stored-form.ts';

/** The codec of the built-in kinds: no webhook converts them. */
export interface BuiltinCodec extends Codec {
  /** `convert`, synchronously. */
  readonly convertNow: (object: KubernetesObject, kind: GroupVersionKind) => Converted;
}

/** The codec of the built-in kinds of a release, whose features decide about defaults. */
export function createCodec(types: BuiltinTypes, isOn: (gate: string) => boolean): BuiltinCodec {
  const applyDefaults = defaultsWhere(isOn);
  const { decodeJson, decodeDocument, decodeType } = createDecoder(types);
  const inFieldOrder = createFieldOrder(types);
  const [printed, stored, shown] = [createPrintedForm(types), createStoredForm(types), createShownForm(types)];
  const setDefaults = (object: KubernetesObject): KubernetesObject => inFieldOrder(applyDefaults(object), object);
  const ordered = (converted: Converted, object: KubernetesObject): Converted => {
    if (converted.outcome === 'inconvertible' || converted.object === object) return converted;
    return { outcome: 'converted', object: inFieldOrder(converted.object) };
  };
  const convertNow: BuiltinCodec['convertNow'] = (object, kind) => ordered(convertObject(object, kind), object);
  return {
    types,
    decode: decodeJson,
    decodeValue: decodeDocument,
    decodeType,
    foreign: (sent, endpoint) => foreignKind(types, sent, endpoint),
    applyDefaults: (object) => inFieldOrder(throughInternal(applyDefaults(object)), object),
    setDefaults,
    inFieldOrder,
    printed,
    stored,
    alignEmpty: createAlignEmpty(types),
    convertNow,
    convert: async (object, kind) => convertNow(object, kind),
    convertInto: async (object, kind, existing) => ordered(convertObjectInto(object, kind, existing), object),
    fromStorage: async (object, kind) => {
      const converted = convertNow(object, kind);
      if (converted.outcome === 'inconvertible') return converted;
      return { outcome: 'converted', object: shown(converted.object) };
    },
    toStorage: async (object, kind) => {
      const converted = convertNow(object, kind);
      if (converted.outcome === 'inconvertible') return converted;
      return { outcome: 'converted', object: stored(setDefaults(converted.object)) };
    },
  };
}
