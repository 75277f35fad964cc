import { safeAlphanums } from '../../machinery/meta/names.ts';
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
/** Follows apimachinery pkg/util/rand SafeEncodeString. */
export const safeEncode = (text: string): string =>
  [...encoder.encode(text)].map((byte) => safeAlphanums.charAt(byte % safeAlphanums.length)).join('');

const offset = 0x811c9dc5;
const prime = 0x01000193;

/** FNV-1 32: multiplies before each XOR, FNV-1a after it. */
export function fnv32(bytes: Uint8Array): number {
  let hash = offset;
  for (const byte of bytes) hash = (Math.imul(hash, prime) ^ byte) >>> 0;
  return hash;
}

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

const fnv128Offset = 0x6c62272e07bb014262b821756295c58dn;
const fnv128Prime = 0x0000000001000000000000000000013bn;
const bits = 128;

/** The FNV-1a 128 hash that orders ports and subsets of Endpoints. Follows pkg/api/v1/endpoints/util.go hashObject. */
export function objectHash(types: BuiltinTypes, type: string, value: JsonObject): bigint {
  let hash = fnv128Offset;
  for (const byte of encoder.encode(dumpStruct(types, type, value)))
    hash = BigInt.asUintN(bits, (hash ^ BigInt(byte)) * fnv128Prime);
  return hash;
}
