import { append, isJsonObject, isList, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { goPrint, goTypeOf, goValueAt } from '../../machinery/go/go-print.ts';
import { listItemToPathElement, formatManagedPath } from './path-element.ts';

import type { ListType, MapType, ValueType } from './value-type.ts';

/** `.data.a: expected string, got …`; undefined for a valid value. Follows structured-merge-diff typed/validate.go. */
export function typeErrors(
  type: ValueType,
  value: JsonValue,
  duplicates: 'refused' | 'allowed' = 'refused',
): string | undefined {
  const all = checkValue(type, value, undefined);
  const errors = duplicates === 'refused' ? all : all.filter((error) => !error.includes(duplicateEntries));
  if (errors.length <= 1) return errors[0];
  return ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
}

/** Linked, and formatted only for an error. */
interface PathElement {
  readonly inside: PathElement | undefined;
  readonly element: string | number;
}

type Path = PathElement | undefined;

function toElements(path: Path): readonly string[] {
  const elements: string[] = [];
  for (let at = path; at; at = at.inside) {
    elements.push(typeof at.element === 'number' ? `i:${at.element}` : at.element);
  }
  return elements.toReversed();
}

const noTypeErrors: readonly string[] = [];

function checkValue(type: ValueType, value: JsonValue, path: Path): readonly string[] {
  if (value === null) return noTypeErrors;
  if (type.is === 'map') return checkMap(type, value, path);
  if (type.is === 'list') return checkList(type, value, path);
  if (type.is === 'deduced')
    return goValueAt(value) ? [formatError(path, `expected map, got ${formatWrapped(value)}`)] : noTypeErrors;
  const error = scalarError(type.scalar === 'anything' && goValueAt(value) ? 'untyped' : type.scalar, value);
  return error === undefined ? noTypeErrors : [formatError(path, error)];
}

function scalarError(scalar: (ValueType & { is: 'scalar' })['scalar'], value: JsonValue): string | undefined {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (scalar) {
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${formatGoSyntax(value)}}`;
    case 'numeric':
      return isNumber ? undefined : `expected numeric (int or float), got ${formatGoType(value)}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${formatWrapped(value)}`;
    case 'anything':
      return undefined;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got ${formatWrapped(value)}` : undefined;
  }
}

function checkMap(type: MapType, value: JsonValue, path: Path): readonly string[] {
  if (!isJsonObject(value) || goValueAt(value)) return [formatError(path, `expected map, got ${formatWrapped(value)}`)];
  const errors: string[] = [];
  for (const name of Object.keys(value)) {
    const field = type.field(name);
    const inner = { inside: path, element: `f:${name}` };
    if (!field) {
      errors.push(formatError(inner, 'field not declared in schema'));
      break;
    }
    append(errors, checkValue(field, value[name] ?? null, inner));
  }
  return errors;
}

function checkList(type: ListType, value: JsonValue, path: Path): readonly string[] {
  if (!isList(value)) return [formatError(path, `expected list, got ${formatWrapped(value)}`)];
  const errors: string[] = [];
  const visited = new Set<string>();
  for (const [at, item] of value.entries()) {
    const error = type.relation === 'atomic' ? undefined : elementError(type, item);
    if (error !== undefined) {
      errors.push(formatError(path, `element ${at}: ${error}`));
      break;
    }
    const element = type.relation === 'atomic' ? at : listItemToPathElement(item, type);
    const inside = checkValue(type.element(), item, { inside: path, element });
    if (typeof element === 'string') {
      if (visited.has(element)) errors.push(formatError(path, `${duplicateEntries} ${formatManagedPath([element])}`));
      visited.add(element);
    }
    append(errors, inside);
  }
  return errors;
}

const duplicateEntries = 'duplicate entries for key';

function elementError(type: ListType, item: JsonValue): string | undefined {
  if (goValueAt(item)) return type.relation === 'map' ? newNotAMap : undefined;
  if (type.relation === 'map') {
    if (item === null) return 'associative list with keys may not have a null element';
    return isJsonObject(item) ? missingKeysError(type, item) : newNotAMap;
  }
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (isJsonObject(item)) return "associative list without keys has an element that's a map type";
  return isList(item) ? 'not supported: associative list with lists as elements' : undefined;
}

const newNotAMap = 'associative list with keys may not have non-map elements';

/** At least one key must be present or have a default. */
function missingKeysError({ keys, element }: ListType, item: JsonObject): string | undefined {
  const type = element();
  const isKnown = (key: string): boolean =>
    Object.hasOwn(item, key) || (type.is === 'map' && type.keyDefault(key) !== undefined);
  if (keys.length === 0 || keys.some(isKnown)) return undefined;
  const names = keys.map((key) => JSON.stringify(key)).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

const formatError = (path: Path, error: string): string =>
  path === undefined ? error : `${formatManagedPath(toElements(path))}: ${error}`;

/** Go's `%T`. */
const formatGoType = (value: JsonValue): string => goValueAt(value)?.type ?? goTypeOf(value) ?? '<nil>';

/** Go's `%v` of a pointer to a struct containing the value. */
const formatWrapped = (value: JsonValue): string => `&{${goValueAt(value)?.plain ?? goPrint(value)}}`;

/** Go's `%#v` of an interface value. */
function formatGoSyntax(value: JsonValue): string {
  const foreign = goValueAt(value);
  if (foreign) return foreign.syntax;
  if (value === null) return 'interface {}(nil)';
  if (isList(value)) return `[]interface {}{${value.map(formatGoSyntax).join(', ')}}`;
  if (isJsonObject(value)) return `map[string]interface {}{${formatGoFields(value)}}`;
  return typeof value === 'string' ? JSON.stringify(value) : goPrint(value);
}

const formatGoFields = (object: JsonObject): string =>
  Object.keys(object)
    .toSorted()
    .map((field) => `${JSON.stringify(field)}:${formatGoSyntax(object[field] ?? null)}`)
    .join(', ');
