import { bigintAsNumber } from '../../machinery/json/bigint-replacer.ts';
import { setOwn } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

/**
 * A copy of an object as it would come out of a wire: nobody changes what somebody else holds. What JSON.parse would make
 * of JSON.stringify, in a third of the time; a bigint becomes a number. Throws what JSON.stringify throws.
 */
export function copyOf(value: object): JsonObject {
  try {
    return copied(value) as JsonObject;
  } catch (error) {
    if (error instanceof RangeError) return overJson(value) as JsonObject; // A circle, or nesting without end.
    throw error;
  }
}

/** undefined is what JSON leaves out of objects. */
function copied(value: unknown): unknown {
  if (typeof value === 'object')
    return value === null ? null : Array.isArray(value) ? copiedList(value) : copiedFields(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'bigint' ? Number(value) : undefined;
}

function copiedList(list: readonly unknown[]): unknown[] {
  const out: unknown[] = [];
  for (const item of list) out.push(copied(item) ?? null);
  return out;
}

function copiedFields(value: object): unknown {
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return overJson(value);
  const fields = value as Readonly<Record<string, unknown>>;
  const out: Record<string, unknown> = {};
  for (const field in fields) {
    const copy = copied(fields[field]);
    if (copy === undefined) continue;
    if (field === '__proto__') setOwn(out, field, copy);
    else out[field] = copy;
  }
  return out;
}

/** Dates and whatever else has ways of its own into JSON. */
const overJson = (value: object): unknown => JSON.parse(JSON.stringify(value, bigintAsNumber));
