import type { JsonObject } from '../../machinery/json/json.ts';
import type { BuiltinTypes } from '../../api/types/builtin-types.ts';
import { dumpStruct } from './go-dump.ts';

const offset = 0x6c62272e07bb014262b821756295c58dn;
const prime = 0x0000000001000000000000000000013bn;
const bits = 128;
const encoder = new TextEncoder();

/** The FNV-1a 128 hash that orders ports and subsets of Endpoints. Follows pkg/api/v1/endpoints/util.go hashObject. */
export function objectHash(types: BuiltinTypes, type: string, value: JsonObject): bigint {
  let hash = offset;
  for (const byte of encoder.encode(dumpStruct(types, type, value)))
    hash = BigInt.asUintN(bits, (hash ^ BigInt(byte)) * prime);
  return hash;
}
