import { sameJson } from '../../machinery/json/json-equal.ts';
import { type JsonValue, append, isJsonObject, isList } from '../../machinery/json/json.ts';
import { type FieldPath, type PathStep, keyValue, listKeyOf, pathText } from './field-path.ts';

/** ` ` lines give the position of changed ones; unchanged fields are left out. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  /** YAML, indented. */
  readonly text: string;
  /** `spec.containers[name=web].image`. */
  readonly path: string;
}

/** The differences as YAML lines under their parent fields; empty when there are none. */
export const objectDiff = (before: JsonValue | undefined, after: JsonValue | undefined): readonly DiffLine[] =>
  diffOf(changesBetween(before, after));

export function diffOf(changes: readonly FieldChange[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let open: FieldPath = [];
  for (const change of changes) {
    const parents = change.path.slice(0, -1);
    const shared = sharedLength(open, parents);
    parents.slice(shared).forEach((step, at) => {
      const path = parents.slice(0, shared + at + 1);
      lines.push({ sign: ' ', text: indent(path, stepText(step)), path: pathText(path) });
    });
    open = parents;
    append(lines, valueLines(change, '-', change.before));
    append(lines, valueLines(change, '+', change.after));
  }
  return lines;
}

function valueLines({ path }: FieldChange, sign: '+' | '-', value: JsonValue | undefined): readonly DiffLine[] {
  if (value === undefined) return [];
  const step = path.at(-1);
  const texts = typeof step === 'string' ? fieldLines(step, value) : itemLines(value);
  return texts.map((text) => ({ sign, text: indent(path, text), path: pathText(path) }));
}

function sharedLength(a: FieldPath, b: FieldPath): number {
  const differs = a.findIndex((step, at) => at >= b.length || pathText([step]) !== pathText([b[at] ?? '']));
  return differs < 0 ? a.length : differs;
}

const stepText = (step: PathStep): string => {
  if (typeof step === 'string') return `${keyText(step)}:`;
  return typeof step === 'number' ? `- # [${step}]` : `- ${step.key}: ${step.value}`;
};

/** List items have the indent of their field. */
const indent = (path: FieldPath, text: string): string => {
  const level = path
    .slice(0, -1)
    .filter((step, at) => (typeof step === 'string' ? typeof path[at + 1] === 'string' : true)).length;
  return `${'  '.repeat(level)}${text}`;
};

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
  if (!isNested) return [`${keyText(field)}: ${first}`, ...rest.map(indentLine)];
  return [`${keyText(field)}:`, ...(isList(value) ? lines : lines.map(indentLine))];
}

export function itemLines(value: JsonValue): readonly string[] {
  const [first = '', ...rest] = yamlLines(value);
  return [`- ${first}`, ...rest.map(indentLine)];
}

const indentLine = (line: string): string => `  ${line}`;

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

/** `before` is absent for an added field, `after` for a removed one. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/**
 * The deepest differences of two values, in the order of their fields, without `metadata.managedFields`. List items
 * with names are compared by name, others by index.
 */
export function changesBetween(before: JsonValue | undefined, after: JsonValue | undefined): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, [], changes);
  return changes;
}

function compare(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: FieldPath,
  found: FieldChange[],
): void {
  if (before === after || isManagedFields(path)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before[field], after[field], [...path, field], found);
    }
  } else if (isList(before) && isList(after)) {
    compareLists(before, after, path, found);
  } else if (!sameJson(before, after)) {
    found.push({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  }
}

const isManagedFields = (path: FieldPath): boolean => path.length === 2 && path[1] === 'managedFields';

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: FieldPath,
  found: FieldChange[],
): void {
  const key = listKeyOf([before, after]);
  if (key === undefined) {
    for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
      compare(before[at], after[at], [...path, at], found);
    }
    return;
  }
  const byKey = (list: readonly JsonValue[]): ReadonlyMap<string, JsonValue> =>
    new Map(list.map((item) => [keyValue(item, key) ?? '', item]));
  const [old, now] = [byKey(before), byKey(after)];
  for (const value of new Set([...old.keys(), ...now.keys()])) {
    compare(old.get(value), now.get(value), [...path, { key, value }], found);
  }
}
