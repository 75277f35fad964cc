import { isJsonObject, isList, type JsonValue } from '../../machinery/json/json.ts';

/** A value as YAML lines: two spaces a level, list items under their field. */
export function yamlLines(value: JsonValue): readonly string[] {
  if (isJsonObject(value)) {
    const fields = Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
    return fields.length === 0 ? ['{}'] : fields.flatMap(([field, inner]) => fieldLines(field, inner));
  }
  if (isList(value)) return value.length === 0 ? ['[]'] : value.flatMap(itemLines);
  return scalarLines(value);
}

export function fieldLines(field: string, value: JsonValue): readonly string[] {
  const lines = yamlLines(value);
  const [first = '', ...rest] = lines;
  const isNested = (isJsonObject(value) && first !== '{}') || (isList(value) && first !== '[]');
  if (!isNested) return [`${keyText(field)}: ${first}`, ...rest.map(indented)];
  return [`${keyText(field)}:`, ...(isList(value) ? lines : lines.map(indented))];
}

export function itemLines(value: JsonValue): readonly string[] {
  const [first = '', ...rest] = yamlLines(value);
  return [`- ${first}`, ...rest.map(indented)];
}

const indented = (line: string): string => `  ${line}`;

export const keyText = (field: string): string => (/^[\w./-]+$/.test(field) ? field : JSON.stringify(field));

function scalarLines(value: JsonValue): readonly string[] {
  if (typeof value !== 'string') return [typeof value === 'bigint' ? value.toString() : JSON.stringify(value)];
  if (value.includes('\n') && /^[\t\n\x20-\uffff]*$/.test(value) && !/^\s/.test(value)) return blockLines(value);
  return [isPlain(value) ? value : JSON.stringify(value)];
}

function blockLines(value: string): readonly string[] {
  const endsWithBreak = value.endsWith('\n');
  const lines = (endsWithBreak ? value.slice(0, -1) : value).split('\n');
  return [endsWithBreak ? '|' : '|-', ...lines];
}

/** Does YAML read it as this string? */
const isPlain = (text: string): boolean =>
  /^[A-Za-z_/.][^\t\n#]*$/.test(text) &&
  !/:(\s|$)|\s$|^\.[\d.]*$/.test(text) &&
  !/^(true|false|null|yes|no|on|off|y|n|\.inf|\.nan)$/i.test(text);
