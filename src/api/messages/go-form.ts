import { base64Bytes } from '../../machinery/go/base64-bytes.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { printNumber } from '../../machinery/go/go-number.ts';
import { isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { structs } from './go-structs.ts';

type Print = (value: JsonValue | undefined, type: string) => string;

/** The first whose pattern the type is of. */
const printers: readonly (readonly [type: RegExp, print: Print])[] = [
  [/^interface \{\}$/, (value) => (isNil(value) ? 'interface {}(nil)' : anyForm(value))],
  [/^\*/, (value, type) => `(${type})(${isNil(value) ? 'nil' : someAddress})`],
  [/^\[\]byte$/, bytesForm],
  [/^resource\.Quantity$/, (value) => quantityForm(textOf(value))],
  [/^\[\]/, listForm],
  [/^map\[/, mapForm],
  [/^bool$/, (value) => String(value === true)],
  [/^uint/, (value) => `0x${Number(value ?? 0).toString(16)}`],
  [/^(?:int|float)\d/, (value) => (typeof value === 'number' ? printNumber(value) : '0')],
];

/** A value of this type as Go's `%#v` prints it: `[]string{"v9"}`. Follows go src/fmt/print.go. */
export function goForm(value: JsonValue | undefined, type: string): string {
  const fields = structs[type];
  if (fields !== undefined) return structForm(isJsonObject(value) ? value : {}, type, fields);
  const print = printers.find(([pattern]) => pattern.test(type))?.[1];
  return print ? print(value, type) : goQuote(textOf(value));
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The type of a value that no table names: what is told by its JSON. */
export function typeOf(value: JsonValue): string {
  if (isList(value)) {
    if (value.every((item) => typeof item === 'string')) return '[]string';
    return value.every((item) => typeof item === 'number') ? '[]int32' : '[]interface {}';
  }
  if (!isJsonObject(value)) return 'interface {}';
  return Object.values(value).every((item) => typeof item === 'string')
    ? 'map[string]string'
    : 'map[string]interface {}';
}

/** Where something lies in memory is another number each time. */
const someAddress = '0xc000000000';

const isNil = (value: JsonValue | undefined): value is null | undefined => value === null || value === undefined;

function anyForm(value: JsonValue): string {
  if (isList(value)) return goForm(value, '[]interface {}');
  if (isJsonObject(value)) return goForm(value, 'map[string]interface {}');
  if (typeof value === 'string') return goQuote(value);
  return typeof value === 'number' ? printNumber(value) : String(value);
}

function listForm(value: JsonValue | undefined, type: string): string {
  if (!isList(value)) return `${type}(nil)`;
  return `${type}{${value.map((item) => goForm(item, type.slice('[]'.length))).join(', ')}}`;
}

function mapForm(value: JsonValue | undefined, type: string): string {
  if (!isJsonObject(value)) return `${type}(nil)`;
  const ofValues = type.slice(type.indexOf(']') + 1);
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${type}{${sorted.map(([key, item]) => `${goQuote(key)}:${goForm(item, ofValues)}`).join(', ')}}`;
}

/** `fields` is `Name string, Count int32`; what is not named so in the JSON is named as JSON does: `matchLabels`. */
function structForm(value: JsonObject, type: string, fields: string): string {
  const members = new Map(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  const texts = fields.split(', ').map((field) => {
    const at = field.indexOf(' ');
    const name = field.slice(0, at);
    return `${name}:${goForm(members.get(name.toLowerCase()), field.slice(at + 1))}`;
  });
  return `${type}{${texts.join(', ')}}`;
}

function bytesForm(value: JsonValue | undefined): string {
  const bytes = base64Bytes(textOf(value));
  return `[]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

const decimalScales: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryPowers = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Follows apimachinery pkg/api/resource/quantity.go: what fits an int64 is held as one. */
function quantityForm(text: string): string {
  const [, whole = '0', fraction = '', suffix = ''] = /^([+-]?\d+)(?:\.(\d*))?(\D*)$/.exec(text) ?? [];
  const power = binaryPowers.indexOf(suffix) + 1;
  const value = BigInt(`${whole}${fraction}`) * 1024n ** BigInt(power);
  const scale = (decimalScales[suffix] ?? 0) - fraction.length;
  const format = power > 0 ? 'BinarySI' : 'DecimalSI';
  return `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${goQuote(text)}, Format:${goQuote(format)}}`;
}
