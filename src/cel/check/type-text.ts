import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  paramType,
  stringType,
  structType,
  timestampType,
  type Type,
  typeType,
  uintType,
} from './type.ts';

const simple: ReadonlyMap<string, Type> = new Map([
  ['dyn', dynType],
  ['null_type', nullType],
  ['bool', boolType],
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['string', stringType],
  ['bytes', bytesType],
  ['google.protobuf.Any', anyType],
  ['google.protobuf.Timestamp', timestampType],
  ['google.protobuf.Duration', durationType],
]);

/** The type that a declaration spells, such as `map(<K>, list(int))`. */
export function readType(text: string): Type {
  const open = text.indexOf('(');
  if (open < 0) return simple.get(text) ?? (text.startsWith('<') ? paramType(text.slice(1, -1)) : structType(text));
  const name = text.slice(0, open);
  const params = splitTypes(text.slice(open + 1, -1)).map(readType);
  const [first = dynType, second = dynType] = params;
  if (name === 'list') return listType(first);
  if (name === 'map') return mapType(first, second);
  return name === 'type' ? typeType(first) : opaqueType(name, params);
}

function splitTypes(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const [index, char] of Array.from(text).entries()) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char !== ',' || depth > 0) continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return [...parts, text.slice(start)].map((part) => part.trim());
}
