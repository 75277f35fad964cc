import { goValuePlaceholder } from '../../machinery/go/go-print.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { toText } from '../value/convert.ts';
import { valueToJson } from '../value/value-json.ts';
import { Box, isBox, isMap, type Value } from '../value/value.ts';
import { mapEntries } from '../value/map-key.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';

/** The Go form of a CEL value without a JSON form; undefined for others. Follows Value() of cel-go common/types. */
export function toGoValue(value: Value): JsonValue | undefined {
  if (value === null) return goValuePlaceholder({ type: 'structpb.NullValue', plain: 'NULL_VALUE', syntax: '0' });
  if (value instanceof Uint8Array) return goValuePlaceholder(printBytes(value));
  if (isBox(value, 'uint')) {
    return goValuePlaceholder({ type: 'uint64', plain: String(value.value), syntax: `0x${value.value.toString(16)}` });
  }
  if (isBox(value, 'duration')) {
    return goValuePlaceholder({ type: 'time.Duration', plain: printValue(value), syntax: String(value.value) });
  }
  if (isBox(value, 'timestamp')) return goValuePlaceholder(printTime(value));
  const libraryType = value instanceof Box ? libraryTypes[value.kind] : undefined;
  return libraryType === undefined
    ? mapKeyErrorValue(value)
    : goValuePlaceholder({ type: libraryType, plain: printValue(value), syntax: `(${libraryType})(0xc000000000)` });
}

/** Types of Kubernetes' own libraries. Upstream prints where they are in memory. */
const libraryTypes: Readonly<Record<string, string>> = {
  quantity: '*resource.Quantity',
  url: '*url.URL',
  ip: 'netip.Addr',
  cidr: 'netip.Prefix',
  semver: 'semver.Version',
  format: '*cel.Format',
};

/** An object with a map whose keys are no texts is the error that this is. Follows apiserver pkg/cel/mutation/dynamic/objects.go. */
function mapKeyErrorValue(value: Value): JsonValue | undefined {
  const keyError = isBox(value, 'struct') ? findMapKeyError([...value.value.fields]) : undefined;
  return keyError === undefined
    ? undefined
    : goValuePlaceholder({ type: '*types.Err', plain: keyError, syntax: '(*types.Err)(0xc000000000)' });
}

function findMapKeyError(fields: readonly (readonly [field: string, value: Value])[]): string | undefined {
  for (const [field, value] of fields) {
    const key = isMap(value) ? mapEntries(value).find(([key]) => typeof key !== 'string')?.[0] : undefined;
    if (key !== undefined) return `fail to convert field ${goQuote(field)}: map key ${printKey(key)}, not string`;
  }
  return undefined;
}

function printKey(key: Value): string {
  if (typeof key === 'boolean') return `%!q(types.Bool=${String(key)}) is of type types.Bool`;
  const [number, type] = isBox(key, 'uint') ? [Number(key.value), 'Uint'] : [Number(key), 'Int'];
  const isRune = number >= 0 && number <= 0x10_ff_ff;
  return `'${goQuote(String.fromCodePoint(isRune ? number : 0xff_fd)).slice(1, -1)}' is of type types.${type}`;
}

const printBytes = (bytes: Uint8Array): Parameters<typeof goValuePlaceholder>[0] => ({
  type: '[]uint8',
  plain: `[${bytes.join(' ')}]`,
  syntax: `[]uint8{${Array.from(bytes, (byte) => `0x${byte.toString(16)}`).join(', ')}}`,
});

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Follows Go's src/time/format.go String and GoString. */
function printTime(value: Value): Parameters<typeof goValuePlaceholder>[0] {
  const [date = '', time = ''] = convertToText(value).replace(/Z$/, '').split('T');
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [clock = '', fraction = ''] = time.split('.');
  const [hour = 0, minute = 0, second = 0] = clock.split(':').map(Number);
  const nanoseconds = Number(fraction.padEnd(9, '0'));
  const parts = [year, `time.${months[month - 1] ?? ''}`, day, hour, minute, second, nanoseconds, 'time.UTC'];
  return { type: 'time.Time', plain: `${date} ${time} +0000 UTC`, syntax: `time.Date(${parts.join(', ')})` };
}

function printValue(value: Value): string {
  const json = valueToJson(value);
  return typeof json === 'string' ? json : '';
}

export function convertToText(value: Value): string {
  const text = toText(value);
  return typeof text === 'string' ? text : '';
}
