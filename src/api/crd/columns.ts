import { goPrint } from '../../machinery/go/go-print.ts';
import { humanDuration } from '../../machinery/go/human-duration.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  isList,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { isZeroMoment, parseTime } from '../../machinery/meta/time.ts';
import { readOnce } from '../../machinery/once.ts';
import { versionOf } from './definition/internal-form.ts';
import { parseJsonPath, type JsonPath, type Slice, type JsonPathStep } from './json-path/parse.ts';

/** The values left to visit for one object. */
interface Search {
  left: number;
}

const createSearch = (): Search => ({ left: 50_000 });

/** undefined for an invalid step; missing fields give no values. Follows client-go util/jsonpath/jsonpath.go. */
function findAt(value: JsonValue, path: JsonPath, search = createSearch()): readonly JsonValue[] | undefined {
  let found: readonly JsonValue[] | undefined = [value];
  for (const step of path) {
    found = found && takeStep(found, step, search);
    search.left -= found?.length ?? 0;
    if (found === undefined || search.left <= 0) return undefined;
  }
  return found;
}

function takeStep(values: readonly JsonValue[], step: JsonPathStep, search: Search): readonly JsonValue[] | undefined {
  switch (step.step) {
    case 'field':
      return values.flatMap((value) => fieldOf(value, step.name));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap((value) => everythingIn(value, 0, search));
    case 'union':
      return allOf(step.branches.map((branch) => allOf(values.map((value) => findAt(value, branch, search)))));
    case 'slice':
      return allOf(values.filter((value) => value !== null).map((value) => sliced(value, step)));
    case 'filter':
      return allOf(values.map((value) => filtered(value, step, search)));
    case 'value':
      return typeof step.value === 'string' ? [step.value] : values.map(() => step.value);
    case 'word':
      return undefined;
  }
}

function allOf(lists: readonly (readonly JsonValue[] | undefined)[]): readonly JsonValue[] | undefined {
  const found: JsonValue[] = [];
  for (const list of lists) {
    if (list === undefined) return undefined;
    found.push(...list);
  }
  return found;
}

function fieldOf(value: JsonValue, name: string): readonly JsonValue[] {
  const found = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return found === undefined ? [] : [found];
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (isList(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.values(value).filter((inner) => inner !== undefined);
}

const deepest = 100;

function everythingIn(value: JsonValue, depth: number, search: Search): readonly JsonValue[] {
  const children = childrenOf(value);
  if (children.length === 0 || depth > deepest || search.left <= 0) return [];
  search.left -= children.length;
  return [value, ...children.flatMap((child) => everythingIn(child, depth + 1, search))];
}

/** Out-of-range bounds are an error unless the slice is empty. Follows evalArray. */
function sliced(items: JsonValue, { from, to, by, isOne }: Slice): readonly JsonValue[] | undefined {
  if (!isList(items)) return undefined;
  const { length } = items;
  const start = from < 0 ? from + length : from;
  const requested = to ?? length;
  const end = requested < 0 || (requested === 0 && isOne) ? requested + length : requested;
  if (start === end) return [];
  if (start < 0 || end > length || start > end || by <= 0) return undefined;
  return items.slice(start, end).filter((_item, index) => index % by === 0);
}

type Filter = Extract<JsonPathStep, { step: 'filter' }>;

function filtered(items: JsonValue, step: Filter, search: Search): readonly JsonValue[] | undefined {
  if (!isList(items)) return undefined;
  const kept: JsonValue[] = [];
  for (const item of items) {
    const verdict = isKept(item, step, search);
    if (verdict === undefined) return undefined;
    if (verdict) kept.push(item);
  }
  return kept;
}

function isKept(item: JsonValue, { left, operator, right }: Filter, search: Search): boolean | undefined {
  const lefts = findAt(item, left, search);
  if (operator === 'exists') return lefts !== undefined && lefts.length > 0;
  if (lefts?.length === 0) return false;
  const rights = isOne(lefts) ? findAt(item, right, search) : undefined;
  if (rights?.length === 0) return false;
  return isOne(lefts) && isOne(rights) ? compare(lefts[0], operator, rights[0]) : undefined;
}

const isOne = (found: readonly JsonValue[] | undefined): found is readonly [JsonValue] => found?.length === 1;

type Scalar = Exclude<JsonValue, object | null>;

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object';

/** Integers and floats are incomparable; booleans have no order. */
function areComparable(left: Scalar, operator: string, right: Scalar): boolean {
  const kind = kindOf(left);
  return kind === kindOf(right) && (kind !== 'boolean' || operator === '==' || operator === '!=');
}

function kindOf(value: Scalar): string {
  if (typeof value === 'bigint') return 'integer';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** undefined for incomparable types. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean | undefined {
  if (!isScalar(left) || !isScalar(right) || !areComparable(left, operator, right)) return undefined;
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

/** The columns of a version, without the name. */
export interface CustomColumns {
  readonly definitions: readonly JsonObject[];
  /** `now` in milliseconds since 1970. */
  readonly cells: (object: JsonObject, now: number) => readonly JsonValue[];
}

const age: JsonObject = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  jsonPath: '.metadata.creationTimestamp',
};

const replicas: readonly JsonObject[] = [
  { name: 'Desired', type: 'integer', description: 'Number of desired replicas', jsonPath: '.spec.replicas' },
  { name: 'Available', type: 'integer', description: 'Number of actual replicas', jsonPath: '.status.replicas' },
];

export function customColumns(definition: JsonObject, version: string): CustomColumns {
  const declared = asList(versionOf(definition, version)?.['additionalPrinterColumns']).map(asObject);
  return columnsOf(declared.length === 0 ? [age] : declared);
}

/**
 * For the Scale of a custom resource. Follows apiextensions-apiserver pkg/apiserver/helpers.go
 * getScaleColumnsForVersion.
 */
export const scaleColumns = (): CustomColumns => columnsOf([...replicas, age]);

/**
 * Columns from the first invalid path on are dropped. Follows apiextensions-apiserver
 * pkg/registry/customresource/tableconvertor/tableconvertor.go.
 */
function columnsOf(declared: readonly JsonObject[]): CustomColumns {
  const all = declared.map(readColumn);
  const broken = all.findIndex(({ path }) => path === undefined);
  const columns = broken < 0 ? all : all.slice(0, broken);
  return {
    definitions: columns.map(({ definition: column }) => column),
    cells: (object, now) => {
      const search = createSearch();
      return columns.map((column) => cellOf(object, column, { now, search }));
    },
  };
}

interface Column {
  readonly definition: JsonObject;
  readonly type: string;
  readonly path: JsonPath | undefined;
}

export const readColumn = readOnce((json: JsonObject): Column => {
  const jsonPath = asString(json['jsonPath']);
  const written = asString(json['description']);
  const description = written === '' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : written;
  const type = asString(json['type']);
  const { priority } = json;
  return {
    definition: {
      name: asString(json['name']),
      type,
      format: asString(json['format']),
      description,
      priority: priority ?? 0,
    },
    type,
    path: parseJsonPath(jsonPath),
  };
});

interface Row {
  readonly now: number;
  readonly search: Search;
}

function cellOf(object: JsonObject, { path, type }: Column, { now, search }: Row): JsonValue {
  const [value] = (path && findAt(object, path, search)) ?? [];
  if (value === undefined) return null;
  return type === 'string' ? textOf(value) : typedCell(value, type, now);
}

function textOf(value: JsonValue): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? writeJsonForGo(value) : goPrint(value);
}

function typedCell(value: JsonValue, type: string, now: number): JsonValue {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (type) {
    case 'integer':
      return isNumber ? wholeNumber(value) : null;
    case 'number':
      return isNumber ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? elapsed(value, now) : null;
    default:
      return null;
  }
}

/** Numbers outside int64 become the least int64. */
function wholeNumber(value: number | bigint): number | bigint {
  if (typeof value === 'bigint') return value;
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2n ** 63n);
}

function elapsed(text: string, now: number): string {
  if (text === '') return '<unknown>';
  const reading = parseTime(text);
  if (reading.outcome === 'malformed') return '<invalid>';
  const { moment } = reading;
  return isZeroMoment(moment) ? '<unknown>' : humanDuration(now - moment.seconds * 1000 - moment.nanos / 1e6);
}
