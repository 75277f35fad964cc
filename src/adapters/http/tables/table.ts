import { fieldErrorText, invalidValue } from '../../../machinery/meta/field-error.ts';
import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import type { ColumnDefinition, Release } from '../../../api/release/release.ts';
import { type Cells, nameOf, cells, conditionStatus, objectsAt, textCell, textAt, textsCell } from './cell.ts';
import { nameAndCreation, corePrinters } from './core.ts';
import type { TableColumns } from '../../../apiserver/request/api-request.ts';
import { markingOne, storagePrinters } from './storage.ts';
import { podRowConditions, podCells } from './pod.ts';
import { scaleCells, workloadPrinters } from './workload.ts';
import { accessPrinters } from './access.ts';
import { alphaPrinters } from './alpha.ts';
import { evictionPrinters } from './eviction.ts';
import { networkPrinters } from './network.ts';

export interface TableOptions {
  readonly release: Pick<Release, 'columnsOf' | 'printedColumnsOf' | 'minor'>;
  /** Of meta.k8s.io. */
  readonly version: 'v1' | 'v1beta1';
  readonly includeObject: IncludeObject;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Columns after the name, for objects without a printer. */
  readonly columns?: TableColumns | undefined;
}

type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Reads `includeObject` of the query. Follows apiserver pkg/endpoints/handlers/response.go optionsForTransform. */
export function readIncludeObject(query: URLSearchParams): Result<IncludeObject> {
  const requested = query.get('includeObject') ?? '';
  if (requested === '' || requested === 'Metadata') return ok('Metadata');
  if (requested === 'None' || requested === 'Object') return ok(requested);
  const problem = invalidValue('includeObject', requested, "must be 'Metadata', 'Object', 'None', or empty");
  return refuse(badRequest(`Unable to convert to Table as requested: ${fieldErrorText(problem)}`));
}

/** Follows apiserver pkg/endpoints/handlers/response.go asTable and kubernetes pkg/printers/tablegenerator.go. */
export function asTable(object: JsonObject, options: TableOptions): JsonObject {
  const [kind, items] = itemsOf(object);
  const apiVersion = asString(object['apiVersion']);
  const { columns, cells } = options.columns
    ? customShape(options.columns)
    : shapeOf(options.release, apiVersion, kind);
  const isOneDefault = kind === 'StorageClass' && options.release.minor >= 37;
  const printed = isOneDefault ? markingOne(cells, object['items'] === undefined ? [] : items) : cells;
  const rows = items.map((item) => rowOf(typed(item, { kind, apiVersion }), printed, options));
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: listMetadata(asObject(object['metadata'])),
    columnDefinitions: columns,
    // These printers leave Go's nil where there are no rows.
    rows: rows.length === 0 && (cells === nameAndCreation || isDefinition(apiVersion)) ? null : rows,
  };
}

const isDefinition = (apiVersion: string): boolean => apiVersion.startsWith('apiextensions.k8s.io/');

/** Items of untyped lists have a kind. */
const typed = (item: JsonObject, type: JsonObject): JsonObject =>
  item['kind'] === undefined || item['apiVersion'] === undefined ? { ...type, ...item } : item;

function itemsOf(object: JsonObject): readonly [kind: string, items: readonly JsonObject[]] {
  const kind = asString(object['kind']);
  const isList = kind.endsWith('List') && object['items'] !== undefined;
  if (!isList) return [kind, [object]];
  const itemKind = kind.slice(0, -'List'.length);
  const items = asList(object['items']).map(asObject);
  return [itemKind, itemKind === 'FlowSchema' ? items.toSorted(byPrecedence) : items];
}

/** Follows apiserver pkg/util/apihelpers FlowSchemaSequence. */
function byPrecedence(a: JsonObject, b: JsonObject): number {
  const precedence = (one: JsonObject): number => Number(asObject(one['spec'])['matchingPrecedence'] ?? 0);
  return precedence(a) - precedence(b);
}

function listMetadata({ resourceVersion, continue: next, remainingItemCount }: JsonObject): JsonObject {
  return {
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(next ? { continue: next } : {}),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
}

function rowOf(object: JsonObject, cells: Cells, { version, includeObject, now }: TableOptions): JsonObject {
  const conditions = object['kind'] === 'Pod' ? podRowConditions(object) : undefined;
  return {
    cells: cells(object, now),
    ...(conditions ? { conditions } : {}),
    object: included(object, includeObject, version),
  };
}

function included(object: JsonObject, includeObject: IncludeObject, version: string): JsonValue {
  switch (includeObject) {
    case 'None':
      return null;
    case 'Object':
      return object;
    case 'Metadata':
      return {
        kind: 'PartialObjectMetadata',
        apiVersion: `meta.k8s.io/${version}`,
        metadata: asObject(object['metadata']),
      };
  }
}

interface Shape {
  readonly columns: readonly JsonObject[];
  readonly cells: Cells;
}

type Columns = Pick<Release, 'columnsOf' | 'printedColumnsOf'>;

function shapeOf({ columnsOf, printedColumnsOf }: Columns, apiVersion: string, kind: string): Shape {
  const { group, version } = parseApiVersion(apiVersion);
  if (group === 'autoscaling' && kind === 'Scale') return scaleShape;
  const printed = printers.get(`${group}/${kind}`);
  const resource = { group, version, resource: pluralOf(kind) };
  const columns = printed && columnsOf(resource);
  if (!columns) return defaultShape;
  return {
    columns: columns.map(definition),
    cells: cellsIn(columns, printedColumnsOf(resource), printed),
  };
}

/** Other releases have other columns, and ServiceAccounts their Secrets. */
function cellsIn(
  columns: readonly ColumnDefinition[],
  printed: readonly ColumnDefinition[] | undefined,
  cells: Cells,
): Cells {
  if (!printed || columns === printed) return cells;
  const places = columns.map(({ name }) => printed.findIndex((one) => one.name === name));
  if (places.every((place, at) => place === at)) return cells;
  return (object, now) => {
    const made = cells(object, now);
    return places.map((place) => (place < 0 ? asList(object['secrets']).length : (made[place] ?? '')));
  };
}

const customShape = ({ definitions, cells }: TableColumns): Shape => ({
  columns: [nameColumn, ...definitions],
  cells: (object, now) => [nameOf(object), ...cells(object, now)],
});

/** kadmit has no descriptions of built-in columns. */
const definition = ({ name, type, format = '', priority = 0 }: ColumnDefinition): JsonObject => ({
  name,
  type,
  format,
  description: '',
  priority,
});

/** Follows apiextensions-apiserver pkg/registry/customresource/tableconvertor. */
const nameColumn: JsonObject = {
  ...definition({ name: 'Name', type: 'string', format: 'name' }),
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
};

const defaultShape: Shape = {
  columns: [
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Created At', type: 'date' },
  ].map(definition),
  cells: nameAndCreation,
};

/** Follows kubernetes pkg/printers/internalversion/printers.go printScale. */
const scaleShape: Shape = {
  columns: [
    { name: 'Name', type: 'string' },
    { name: 'Desired', type: 'integer' },
    { name: 'Available', type: 'integer' },
    { name: 'Age', type: 'string' },
  ].map(definition),
  cells: scaleCells,
};

/** Releases before 1.37 print the name and the time only. Follows apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor. */
const definitionCells = cells(
  nameOf,
  textCell('spec.scope'),
  (definition) =>
    objectsAt(definition, 'spec', 'versions')
      .filter(({ served }) => served === true)
      .map((version) => `${textAt(version, 'name')}${version['storage'] === true ? '(storage)' : ''}`)
      .toSorted()
      .join(','),
  textCell('metadata.creationTimestamp'),
  textCell('spec.group'),
  textCell('spec.names.kind'),
  textsCell('spec.names.shortNames'),
  (definition) => conditionStatus(definition, 'Established') === 'True',
);

/** By group and kind: `apps/Deployment`, `/Pod`. Follows kubernetes pkg/printers/internalversion/printers.go AddHandlers. */
export const printers: ReadonlyMap<string, Cells> = new Map(
  Object.entries({
    '/Pod': podCells,
    'apiextensions.k8s.io/CustomResourceDefinition': definitionCells,
    ...corePrinters,
    ...networkPrinters,
    ...storagePrinters,
    ...workloadPrinters,
    ...accessPrinters,
    ...alphaPrinters,
    ...evictionPrinters,
  }),
);

/** The resource of a kind. Follows apimachinery pkg/api/meta/restmapper.go UnsafeGuessKindToResource. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
