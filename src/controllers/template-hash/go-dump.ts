import { asList, asObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { parseQuantity } from '../../apimachinery/quantity.ts';
import { typeInfo } from '../../schema/types/builtin-types.ts';
import type { Field, Scalar, TypeRef } from '../../schema/types/builtin-types.ts';
import { goTypeOf, structNameOf } from '../../schema/types/go-type.ts';
import { goNameOf, goTypeHere } from './go-names.ts';

/**
 * A struct as Go prints it to hash it: every field with its type, pointers followed, maps in order of their keys; empty
 * lists and maps are nil, as protobuf leaves them. Follows apimachinery pkg/util/dump ForHash.
 */
export const dumpStruct = (type: string, value: JsonObject): string =>
  `(${goTypeOf({ type: 'named', name: type })})${structText(type, value)}`;

function structText(type: string, value: JsonObject): string {
  const info = typeInfo(type);
  const fields = info?.is === 'struct' ? info.fields : [];
  return `{${fields.map((field) => fieldText(type, field, value)).join(' ')}}`;
}

function fieldText(owner: string, field: Field, value: JsonObject): string {
  const { name, type, pointer } = field;
  if (name === '' && type.type === 'named') {
    return `${structNameOf(type.name)}:(${goTypeOf(type)})${structText(type.name, value)}`;
  }
  const goType = goTypeHere(owner, name) ?? field.goType ?? goTypeOf(type);
  const given = value[name];
  const isNil = pointer && (given === undefined || given === null);
  return `${goNameOf(owner, name)}:(${pointer ? '*' : ''}${goType})${isNil ? '<nil>' : valueText(type, given)}`;
}

/** Without its type, as elements of lists and maps are printed. */
function valueText(type: TypeRef, value: JsonValue | undefined): string {
  if (type.type === 'scalar') return scalarText[type.scalar](value);
  if (type.type === 'list') return listText(type.of, asList(value));
  if (type.type === 'map') return mapText(type.of, asObject(value));
  const info = typeInfo(type.name);
  return info?.is === 'alias' ? valueText(info.of, value) : structText(type.name, asObject(value));
}

const listText = (of: TypeRef, items: readonly JsonValue[]): string =>
  items.length === 0 ? '<nil>' : `[${items.map((item) => valueText(of, item)).join(' ')}]`;

function mapText(of: TypeRef, entries: JsonObject): string {
  const keys = Object.keys(entries).sort();
  return keys.length === 0 ? '<nil>' : `map[${keys.map((key) => `${key}:${valueText(of, entries[key])}`).join(' ')}]`;
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const numeral = (value: JsonValue | undefined): string => (typeof value === 'number' ? String(value) : '0');
const zeroTime = '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';

const scalarText: Readonly<Record<Scalar, (value: JsonValue | undefined) => string>> = {
  string: text,
  bool: (value) => String(value === true),
  int32: numeral,
  int64: numeral,
  float64: numeral,
  bytes: text,
  quantity: quantityDump,
  intstr: (value) =>
    typeof value === 'string'
      ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
      : `{Type:(intstr.Type)0 IntVal:(int32)${numeral(value)} StrVal:(string)}`,
  // A template carries no times.
  time: () => zeroTime,
  microtime: () => zeroTime,
  duration: numeral,
  raw: text,
  fieldsv1: text,
  json: text,
  any: text,
};

function quantityDump(value: JsonValue | undefined): string {
  const reading = parseQuantity(typeof value === 'number' ? String(value) : text(value));
  const quantity = reading.outcome === 'parsed' ? reading.quantity : { value: 0n, scale: 0, text: '', format: '' };
  const amount = `i:(resource.int64Amount){value:(int64)${quantity.value} scale:(resource.Scale)${quantity.scale}}`;
  const none = 'd:(resource.infDecAmount){Dec:(*inf.Dec)<nil>}';
  return `{${amount} ${none} s:(string)${quantity.text ?? ''} Format:(resource.Format)${quantity.format}}`;
}
