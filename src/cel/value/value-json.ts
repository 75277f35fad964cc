import { trimRight } from '../../machinery/go/strings.ts';
import { encodeBytes } from '../../machinery/go/base64-bytes.ts';
import { type JsonObject, type JsonValue, setOwn } from '../../machinery/json/json.ts';
import { quantityText } from '../../machinery/meta/quantity.ts';
import { mapKeyText } from './convert.ts';
import type { Semver } from '../library/opaque-values.ts';
import { mapEntries } from './map-key.ts';
import { type AnyBox, Box, unboxDouble, isCelList, isMap, type Value, isBox } from './value.ts';
import { maxBodyValues } from '../../machinery/json/body-limits.ts';

/** The same, unless the result is too long. */
export const valueToBoundedJson = (value: Value): JsonValue | undefined =>
  exceedsValueLimit(value) ? undefined : valueToJson(value);

/**
 * A value as JSON: 64-bit integers in full, bytes in base64, timestamps as RFC 3339, durations as Go prints them, types
 * by name, an optional as `{"optional": …}`; numbers without a JSON form as text.
 */
export function valueToJson(value: Value): JsonValue {
  const number = unboxDouble(value);
  if (number !== undefined && !Number.isFinite(number)) return nonFiniteText(number);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return encodeBytes(value);
  if (isCelList(value)) return value.map(valueToJson);
  if (isMap(value)) return entriesToJson(mapEntries(value), mapKeyText, valueToJson);
  return value instanceof Box ? boxToJson(value) : null;
}

function nonFiniteText(number: number): string {
  if (Number.isNaN(number)) return 'NaN';
  return number > 0 ? 'Infinity' : '-Infinity';
}

/** Entries as an object: each key converted by `text`, each value by `json`. */
export function entriesToJson<Key extends Value>(
  entries: readonly (readonly [key: Key, value: Value])[],
  text: (key: Key) => string,
  json: (value: Value) => JsonValue,
): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of entries) setOwn(object, text(key), json(value));
  return object;
}

function boxToJson(value: AnyBox): JsonValue {
  if (value.kind === 'struct') return entriesToJson([...value.value.fields], mapKeyText, valueToJson);
  if (value.kind === 'optional') return { optional: value.value === undefined ? 'none' : valueToJson(value.value) };
  if (value.kind === 'double' || value.kind === 'uint' || value.kind === 'type') return value.value;
  if (value.kind === 'duration') return formatDuration(value.value);
  if (value.kind === 'quantity') return quantityText(value.value.quantity);
  if (value.kind === 'semver') return semverText(value.value);
  return value.kind === 'url' || value.kind === 'format' ? value.value.text : mapKeyText(value);
}

function semverText({ major, minor, patch, prerelease }: Semver): string {
  const release = `${major}.${minor}.${patch}`;
  return prerelease.length === 0 ? release : `${release}-${prerelease.join('.')}`;
}

const units = [
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
] as const;

/** `1h30m0.5s`, `1.5ms`, `0s`. Follows go src/time/time.go Duration.String. */
function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${formatFraction(nanoseconds, 1_000n)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${formatFraction(nanoseconds, 1_000_000n)}ms`;
  let rest = nanoseconds;
  let text = '';
  for (const [unit, size] of units) {
    if (nanoseconds >= size) text += `${rest / size}${unit}`;
    rest %= size;
  }
  return `${text}${formatFraction(rest, 1_000_000_000n)}s`;
}

/** A quotient with as many digits as it has. */
function formatFraction(value: bigint, unit: bigint): string {
  const digits = trimRight(String(value % unit).padStart(String(unit).length - 1, '0'), '0');
  return digits === '' ? String(value / unit) : `${value / unit}.${digits}`;
}

/** The limit of a request body. Upstream has none and runs out of memory. */
export const valueLimitText = `the value of the expression has more than ${maxBodyValues} values inside`;

/** Nested lists that each contain one list twice cost little to make and have exponentially many values. */
export function exceedsValueLimit(value: Value): boolean {
  let count = 0;
  const open: Iterator<Value>[] = [[value].values()];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: next } = inner.next();
    if (done) {
      open.pop();
      continue;
    }
    count += 1;
    if (count > maxBodyValues) return true;
    const members = listMembers(next);
    if (members) open.push(members);
  }
  return false;
}

function listMembers(value: Value): Iterator<Value> | undefined {
  if (isCelList(value)) return value.values();
  if (isBox(value, 'struct')) return value.value.fields.values();
  if (isBox(value, 'optional')) return value.value === undefined ? undefined : [value.value].values();
  return isMap(value)
    ? mapEntries(value)
        .map(([, inner]) => inner)
        .values()
    : undefined;
}
