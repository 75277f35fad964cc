import { byKey } from '../../../machinery/go/strings.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { BuiltinTypes } from '../builtin-types.ts';
import type { Catalogue, ResourceInfo } from '../catalogue/catalogue.ts';
import { mergeOpenapi, collectOwnOpenapi } from './own-openapi.ts';
import { createGeneralDocument, listGeneralPaths, issuerDocuments, hashText } from './openapi-general.ts';
import { toSchemaName, createSchemaRef, createSchemas } from './openapi-schemas.ts';

/** `GET /openapi/v3`; `more` are the documents of an issuer. Follows k8s.io/kube-openapi pkg/handler3. */
export function createOpenapiIndex(catalogue: Catalogue, more: readonly string[] = []): JsonObject {
  const documents: (readonly [string, JsonObject])[] = [];
  const add = (path: string, hash: string): void => {
    documents.push([path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }]);
  };
  for (const [path, rows] of groupByVersion(catalogue)) {
    add(path, hashRows(catalogue.types, rows));
  }
  for (const path of [...listGeneral(catalogue), ...more]) {
    add(path, hashGeneral(catalogue.types, path));
  }
  return { paths: Object.fromEntries(documents.toSorted(byKey)) };
}

/** undefined for an unknown path such as `apis/apps/v2`. */
export function hashOpenapi(catalogue: Catalogue, path: string, more: readonly string[] = []): string | undefined {
  const rows = groupByVersion(catalogue).get(path);
  if (rows !== undefined) return hashRows(catalogue.types, rows);
  return isGeneral(catalogue, path) || more.includes(path) ? hashGeneral(catalogue.types, path) : undefined;
}

const hashGeneral = ({ version }: BuiltinTypes, path: string): string =>
  hashText(`${documentEdition} ${version} ${path}`);

const listGeneral = (catalogue: Catalogue): readonly string[] =>
  listGeneralPaths([...new Set(selectBuiltin(catalogue.all()).map(({ group }) => group))]);

const isGeneral = (catalogue: Catalogue, path: string): boolean => listGeneral(catalogue).includes(path);

/**
 * `GET /openapi/v3/apis/apps/v1` as pieces of JSON: every resource with verbs and parameters (kubectl needs
 * fieldValidation and dryRun) and schemas with merge keys, without descriptions.
 */
export function createOpenapiDocument(catalogue: Catalogue, path: string): readonly string[] | undefined {
  const all = groupByVersion(catalogue).get(path);
  if (all === undefined) {
    const isKnown = isGeneral(catalogue, path) || issuerDocuments.includes(path);
    return isKnown ? [writeJson(createGeneralDocument(catalogue.types, path))] : undefined;
  }
  const rows = selectBuiltin(all);
  const builtin = rows.length === 0 ? [] : [createBuiltinDocument(catalogue.types, path, rows)];
  return mergeOpenapi(builtin, collectOwnOpenapi(all));
}

export const createBuiltinDocuments = (catalogue: Catalogue): readonly JsonObject[] => [
  ...[...groupByVersion(catalogue)].flatMap(([path, all]) => {
    const rows = selectBuiltin(all);
    return rows.length === 0 ? [] : [createBuiltinDocument(catalogue.types, path, rows)];
  }),
  ...listGeneral(catalogue).map((path) => createGeneralDocument(catalogue.types, path)),
];

const selectBuiltin = (rows: readonly ResourceInfo[]): readonly ResourceInfo[] =>
  rows.filter(({ openapi }) => openapi === undefined);

function createBuiltinDocument(types: BuiltinTypes, path: string, rows: readonly ResourceInfo[]): JsonObject {
  const kinds = rows.map((row) => types.typeOfKind(row.kind)).filter((type) => type !== undefined);
  const lists = rows.map((row) => types.typeOfKind(toListKind(row))).filter((type) => type !== undefined);
  const paths: PathEntry[] = [[`/${path}/`, resourceListPath]];
  for (const row of rows) {
    paths.push(...createPaths(types, path, row));
  }
  const schemas = createSchemas(types, [...kinds, ...lists, 'meta.v1.DeleteOptions', 'meta.v1.Status']);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: `1.${types.minor}` },
    paths: Object.fromEntries(paths),
    components: { schemas: { ...schemas, ...resourceListSchemas, ...patchBody } },
  };
}

const patchName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch';
const patchBody: JsonObject = { [patchName]: { type: 'object' } };

type Versions = ReadonlyMap<string, readonly ResourceInfo[]>;

function groupByVersion(catalogue: Catalogue): Versions {
  const versions = new Map<string, ResourceInfo[]>();
  for (const row of catalogue.all()) {
    const path = row.group === '' ? `api/${row.version}` : `apis/${row.group}/${row.version}`;
    const rows = versions.get(path);
    if (rows === undefined) versions.set(path, [row]);
    else rows.push(row);
  }
  return versions;
}

/** Increment when documents change: kubectl caches them by hash. */
const documentEdition = 3;

function hashRows(types: BuiltinTypes, rows: readonly ResourceInfo[]): string {
  const own = collectOwnOpenapi(rows).map(({ hash }) => hash());
  const builtin = selectBuiltin(rows);
  const textListSchema = [...(builtin.length === 0 ? [] : [JSON.stringify(builtin)]), ...own];
  return hashText(`${documentEdition} ${types.version} ${textListSchema.join(' ')}`);
}

const toListKind = ({ kind }: ResourceInfo): ResourceInfo['kind'] => ({ ...kind, kind: `${kind.kind}List` });

type PathEntry = readonly [string, JsonObject];

function createPaths(types: BuiltinTypes, document: string, row: ResourceInfo): readonly PathEntry[] {
  const scope = row.namespaced ? '/namespaces/{namespace}' : '';
  const collection = `/${document}${scope}/${row.resource}`;
  const item = `${collection}/{name}`;
  if (row.subresource !== '')
    return [[`${item}/${row.subresource}`, createOperations(types, row, itemMethods, row.namespaced)]];
  const allNamespaces: readonly PathEntry[] =
    row.namespaced && row.verbs.includes('list')
      ? [[`/${document}/${row.resource}`, createOperations(types, row, { list: 'get' }, false)]]
      : [];
  return [
    ...allNamespaces,
    [collection, createOperations(types, row, collectionMethods, row.namespaced)],
    [item, createOperations(types, row, itemMethods, row.namespaced)],
  ].filter((entry): entry is PathEntry => Object.keys(entry[1] ?? {}).some((key) => key !== 'parameters'));
}

const collectionMethods: Readonly<Record<string, string>> = { list: 'get', create: 'post', deletecollection: 'delete' };
const itemMethods: Readonly<Record<string, string>> = { get: 'get', update: 'put', patch: 'patch', delete: 'delete' };

function createOperations(
  types: BuiltinTypes,
  row: ResourceInfo,
  methods: Readonly<Record<string, string>>,
  inNamespace: boolean,
): JsonObject {
  // A subresource is created at its item's path.
  const all = row.subresource === '' ? methods : { ...methods, create: 'post' };
  const served = Object.entries(all).filter(([verb]) => row.verbs.includes(verb));
  return {
    ...Object.fromEntries(served.map(([verb, method]) => [method, createOperation(types, row, verb)])),
    parameters: createPathParameters(methods === itemMethods, inNamespace),
  };
}

function createOperation(types: BuiltinTypes, row: ResourceInfo, verb: string): JsonObject {
  const { group, version, kind } = row.kind;
  const type = types.typeOfKind(verb === 'list' ? toListKind(row) : row.kind);
  const schema = type === undefined ? {} : createSchemaRef(toSchemaName(type));
  const responseSchema =
    verb === 'delete' || verb === 'deletecollection' ? createSchemaRef(toSchemaName('meta.v1.Status')) : schema;
  return {
    ...(queryParameters[verb] === undefined ? {} : { parameters: queryParameters[verb].map(createQueryParameter) }),
    ...createRequestBody(types, row, verb, schema),
    responses: { '200': { description: 'OK', content: { 'application/json': { schema: responseSchema } } } },
    'x-kubernetes-action': verb === 'create' ? 'post' : verb === 'update' ? 'put' : verb,
    'x-kubernetes-group-version-kind': { group, kind, version },
  };
}

function createRequestBody(types: BuiltinTypes, row: ResourceInfo, verb: string, schema: JsonObject): JsonObject {
  if (verb === 'create' || verb === 'update')
    return { requestBody: { content: { '*/*': { schema } }, required: true } };
  if (verb !== 'patch') return {};
  // kubectl builds patches from the schemas; custom resources have no strategic merge patch.
  const mediaTypes = types.typeOfKind(row.kind) === undefined ? patchTypes.slice(1) : patchTypes;
  const content = mediaTypes.map((type) => [type, { schema: createSchemaRef(patchName) }]);
  return { requestBody: { content: Object.fromEntries(content), required: true } };
}

const patchTypes = [
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
];

const listParameters = ['labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersion', 'timeoutSeconds'];
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'];
const queryParameters: Readonly<Record<string, readonly string[]>> = {
  list: [...listParameters, 'watch', 'allowWatchBookmarks'],
  create: writeParameters,
  update: writeParameters,
  patch: [...writeParameters, 'force'],
  delete: ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'],
  deletecollection: [...listParameters, 'dryRun', 'propagationPolicy'],
};

const parameterTypes: Readonly<Record<string, string>> = {
  limit: 'integer',
  timeoutSeconds: 'integer',
  gracePeriodSeconds: 'integer',
  watch: 'boolean',
  allowWatchBookmarks: 'boolean',
  force: 'boolean',
  orphanDependents: 'boolean',
};

const createQueryParameter = (name: string): JsonObject => ({
  name,
  in: 'query',
  schema: { type: parameterTypes[name] ?? 'string', uniqueItems: true },
});

function createPathParameters(hasName: boolean, inNamespace: boolean): readonly JsonObject[] {
  const names = [...(hasName ? ['name'] : []), ...(inNamespace ? ['namespace'] : [])];
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } }));
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const textSchema: JsonObject = { type: 'string' };
const requiredTextSchema: JsonObject = { type: 'string', default: '' };
const texts: JsonObject = { type: 'array', items: requiredTextSchema, 'x-kubernetes-list-type': 'atomic' };
const createRef = (name: string): JsonObject => ({ $ref: `#/components/schemas/${meta}.${name}` });

/** Types used only here. Follows apimachinery pkg/apis/meta/v1/types.go. */
const resourceListSchemas: JsonObject = {
  [`${meta}.APIResource`]: {
    type: 'object',
    required: ['name', 'singularName', 'namespaced', 'kind', 'verbs'],
    properties: {
      categories: texts,
      group: textSchema,
      kind: requiredTextSchema,
      name: requiredTextSchema,
      namespaced: { type: 'boolean', default: false },
      shortNames: texts,
      singularName: requiredTextSchema,
      storageVersionHash: textSchema,
      verbs: { type: 'array', items: requiredTextSchema },
      version: textSchema,
    },
  },
  [`${meta}.APIResourceList`]: {
    type: 'object',
    required: ['groupVersion', 'resources'],
    properties: {
      apiVersion: textSchema,
      groupVersion: requiredTextSchema,
      kind: textSchema,
      resources: {
        type: 'array',
        items: { default: {}, allOf: [createRef('APIResource')] },
        'x-kubernetes-list-type': 'atomic',
      },
    },
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'APIResourceList', version: 'v1' }],
  },
};

/** `GET /apis/apps/v1/`. Follows apiserver pkg/endpoints/discovery/version.go. */
const resourceListPath: JsonObject = {
  get: {
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema: createRef('APIResourceList') } } },
      '401': { description: 'Unauthorized' },
    },
  },
};
