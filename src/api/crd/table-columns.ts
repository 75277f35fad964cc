import { goPrint } from '../../machinery/go/go-print.ts';
import { humanDuration } from '../../machinery/go/human-duration.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { isZeroMoment, parseTime } from '../../machinery/meta/time.ts';
import { readOnce } from '../../machinery/once.ts';
import { findVersion } from './definition/internal-spec.ts';
import { createSearchBudget, evaluatePath, type SearchBudget } from './json-path/evaluate.ts';
import { type JsonPath, parseJsonPath } from './json-path/parse.ts';

/** The columns of a version, without the name. */
export interface CustomColumns {
  readonly definitions: readonly JsonObject[];
  /** `now` in milliseconds since 1970. */
  readonly cells: (object: JsonObject, now: number) => readonly JsonValue[];
}

const ageColumn: JsonObject = {
  name: 'Age',
  type: 'date',
  description:
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  jsonPath: '.metadata.creationTimestamp',
};

const replicaColumns: readonly JsonObject[] = [
  { name: 'Desired', type: 'integer', description: 'Number of desired replicas', jsonPath: '.spec.replicas' },
  { name: 'Available', type: 'integer', description: 'Number of actual replicas', jsonPath: '.status.replicas' },
];

export function customColumns(definition: JsonObject, version: string): CustomColumns {
  const declared = asList(findVersion(definition, version)?.['additionalPrinterColumns']).map(asObject);
  return createColumns(declared.length === 0 ? [ageColumn] : declared);
}

/**
 * For the Scale of a custom resource. Follows apiextensions-apiserver pkg/apiserver/helpers.go
 * getScaleColumnsForVersion.
 */
export const scaleColumns = (): CustomColumns => createColumns([...replicaColumns, ageColumn]);

/**
 * Columns from the first invalid path on are dropped. Follows apiextensions-apiserver
 * pkg/registry/customresource/tableconvertor/tableconvertor.go.
 */
function createColumns(declared: readonly JsonObject[]): CustomColumns {
  const all = declared.map(parseColumn);
  const broken = all.findIndex(({ path }) => path === undefined);
  const columns = broken < 0 ? all : all.slice(0, broken);
  return {
    definitions: columns.map(({ definition: column }) => column),
    cells: (object, now) => {
      const search = createSearchBudget();
      return columns.map((column) => evaluateCell(object, column, { now, search }));
    },
  };
}

interface Column {
  readonly definition: JsonObject;
  readonly type: string;
  readonly path: JsonPath | undefined;
}

export const parseColumn = readOnce((json: JsonObject): Column => {
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

interface CellContext {
  readonly now: number;
  readonly search: SearchBudget;
}

function evaluateCell(object: JsonObject, { path, type }: Column, { now, search }: CellContext): JsonValue {
  const [value] = (path && evaluatePath(object, path, search)) ?? [];
  if (value === undefined) return null;
  return type === 'string' ? formatStringCell(value) : formatCell(value, type, now);
}

function formatStringCell(value: JsonValue): string {
  if (value === null) return '<no value>';
  return typeof value === 'object' ? writeJsonForGo(value) : goPrint(value);
}

function formatCell(value: JsonValue, type: string, now: number): JsonValue {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (type) {
    case 'integer':
      return isNumber ? truncateToInt64(value) : null;
    case 'number':
      return isNumber ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? formatElapsed(value, now) : null;
    default:
      return null;
  }
}

/** Numbers outside int64 become the least int64. */
function truncateToInt64(value: number | bigint): number | bigint {
  if (typeof value === 'bigint') return value;
  return Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2n ** 63n);
}

function formatElapsed(text: string, now: number): string {
  if (text === '') return '<unknown>';
  const reading = parseTime(text);
  if (reading.outcome === 'malformed') return '<invalid>';
  const { moment } = reading;
  return isZeroMoment(moment) ? '<unknown>' : humanDuration(now - moment.seconds * 1000 - moment.nanos / 1e6);
}
