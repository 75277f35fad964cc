import type { JsonObject } from '../../machinery/json/json.ts';
import type { BuiltinTypes } from '../../api/types/builtin-types.ts';
import { dumpStruct } from './go-dump.ts';

/** The value of a pod-template-hash label. Follows pkg/controller/controller_utils.go ComputeHash. */
export function templateHash(types: BuiltinTypes, template: JsonObject, collisionCount: number | undefined): string {
  const dump = dumpStruct(types, 'core.v1.PodTemplateSpec', template);
  const hash = fnv32a(encoder.encode(dump));
  return safeEncode(String(fnv32a(collisionBytes(collisionCount), hash)));
}

const encoder = new TextEncoder();
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Follows apimachinery pkg/util/rand SafeEncodeString. */
export const safeEncode = (text: string): string =>
  [...encoder.encode(text)].map((byte) => alphabet.charAt(byte % alphabet.length)).join('');

const offset = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1a 32, continuing from an earlier hash. */
export function fnv32a(bytes: Uint8Array, before = offset): number {
  let hash = before;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime) >>> 0;
  return hash;
}

function collisionBytes(count: number | undefined): Uint8Array {
  if (count === undefined) return new Uint8Array();
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, count, true);
  return bytes;
}
