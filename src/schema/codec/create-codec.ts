import type { Codec } from './codec.ts';
import { convertObject } from './convert.ts';
import { decodeDocument, decodeJson } from './decode.ts';
import { applyDefaults } from '../defaults/apply-defaults.ts';

/** The codec of the built-in kinds. */
export const createCodec = (): Codec => ({
  decode: decodeJson,
  decodeValue: decodeDocument,
  applyDefaults,
  convert: convertObject,
});
