import type { Field, Scalar, TypeInfo, TypeRef } from './type-info.ts';

const scalars: ReadonlySet<string> = new Set<Scalar>([
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'quantity',
  'intstr',
  'time',
  'microtime',
  'duration',
  'raw',
  'fieldsv1',
  'json',
  'any',
]);

const isScalar = (text: string): text is Scalar => scalars.has(text);

function parseType(text: string): TypeRef {
  if (text.startsWith('[]')) return { type: 'list', of: parseType(text.slice(2)) };
  if (text.startsWith('{}')) return { type: 'map', of: parseType(text.slice(2)) };
  return isScalar(text) ? { type: 'scalar', scalar: text } : { type: 'named', name: text };
}

/** Another name, or a union, from its compact text. */
export function parseAlias(text: string): TypeInfo {
  if (text.startsWith('union ')) return { is: 'union', numbers: parseNumbers(text.slice('union '.length)) };
  const [of = '', values] = text.split('|');
  const message = of.endsWith('!');
  return {
    is: 'alias',
    of: parseType(message ? of.slice(0, -1) : of),
    values: values === undefined ? [] : values.split(','),
    message,
  };
}

function parseNumbers(json: string): Readonly<Record<string, number>> {
  const numbers: Readonly<Record<string, number>> = JSON.parse(json);
  return numbers;
}

/** A struct from the lines of its fields. */
export const parseStruct = (lines: readonly string[], atomic: boolean): TypeInfo => ({
  is: 'struct',
  fields: lines.map(parseField),
  atomic,
});

function parseField(line: string): Field {
  const [name = '', type = '', flags = '', number = '', ...rest] = line.split(' ');
  const marks = new Map(rest.map((mark) => splitAt(mark, '=')));
  const mark = (key: string, field: keyof Field): Readonly<Record<string, string>> => {
    const value = marks.get(key);
    return value === undefined ? {} : { [field]: value };
  };
  const keys = marks.get('lk');
  return {
    name: name.startsWith(',') ? '' : name,
    type: parseType(type),
    omitEmpty: flags.includes('o'),
    omitZero: flags.includes('z'),
    pointer: flags.includes('p'),
    required: flags.includes('r'),
    number: Number(number),
    ...(keys === undefined ? {} : { listMapKeys: keys.split(',') }),
    ...mark('lt', 'listType'),
    ...mark('mt', 'mapType'),
    ...mark('ps', 'patchStrategy'),
    ...mark('pk', 'patchMergeKey'),
    ...mark('d', 'default'),
    ...mark('g', 'goType'),
  };
}

function splitAt(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
