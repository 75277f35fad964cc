import { asString, asList, asObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import parameterTexts from './parameters.json' with { type: 'json' };
import { findVersion } from '../definition/internal-spec.ts';
import { readSubresources } from '../instances/validate-instance.ts';
import type { ListNames } from './published-schema.ts';

export function readDocumentNames(definition: JsonObject, version: string): PathNames & ListNames {
  const spec = asObject(definition['spec']);
  const names = asObject(spec['names']);
  const group = asString(spec['group']);
  const kind = asString(names['kind']);
  const listKind = asString(names['listKind']);
  const { status, scale } = readSubresources(findVersion(definition, version) ?? {});
  const prefix = `${group.split('.').toReversed().join('.')}.${version}`;
  return {
    group,
    version,
    kind,
    listKind,
    plural: asString(names['plural']),
    namespaced: spec['scope'] === 'Namespaced',
    hasStatus: status !== undefined && status !== null,
    hasScale: scale !== undefined && scale !== null,
    schema: `${prefix}.${kind}`,
    listSchema: `${prefix}.${listKind}`,
  };
}

export function createExtensions(definition: JsonObject, version: string, kind: string): JsonObject {
  const group = asString(asObject(definition['spec'])['group']);
  const selectable = asList(findVersion(definition, version)?.['selectableFields']).map((field) => ({
    fieldPath: asString(asObject(field)['jsonPath']).replace(/^\./u, ''),
  }));
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(selectable.length > 0 ? { 'x-kubernetes-selectable-fields': selectable } : {}),
  };
}

export interface PathNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
  readonly schema: string;
  readonly listSchema: string;
}

export interface OpenApiOperation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** x-kubernetes-action: `list`, `post`, `deletecollection`. */
  readonly action: string;
  readonly operationId: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters: readonly JsonObject[];
  /** A schema name. */
  readonly body: string | undefined;
  readonly isBodyRequired: boolean;
  readonly consumes: readonly string[];
  /** A schema name. */
  readonly answer: string;
  readonly codes: readonly number[];
}

export interface PathItem {
  readonly path: string;
  readonly operations: readonly OpenApiOperation[];
  readonly parameters: readonly JsonObject[];
}

const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const scaleSchema = 'io.k8s.api.autoscaling.v1.Scale';

interface Verb {
  readonly method: OpenApiOperation['method'];
  readonly action: string;
  readonly verb: string;
  readonly options: readonly string[];
  readonly codes: readonly number[];
}

const listOptions =
  'allowWatchBookmarks continue fieldSelector labelSelector limit resourceVersion resourceVersionMatch sendInitialEvents shardSelector timeoutSeconds watch'.split(
    ' ',
  );
const writeOptions = ['dryRun', 'fieldManager', 'fieldValidation'];
const deleteOptions = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];

const list: Verb = { method: 'get', action: 'list', verb: 'list', options: listOptions, codes: [200] };
const create: Verb = { method: 'post', action: 'post', verb: 'create', options: writeOptions, codes: [200, 201, 202] };
const deleteCollection: Verb = {
  method: 'delete',
  action: 'deletecollection',
  verb: 'deletecollection',
  options: listOptions,
  codes: [200],
};
const readOne: Verb = { method: 'get', action: 'get', verb: 'read', options: ['resourceVersion'], codes: [200] };
const replace: Verb = { method: 'put', action: 'put', verb: 'replace', options: writeOptions, codes: [200, 201] };
const deleteOne: Verb = {
  method: 'delete',
  action: 'delete',
  verb: 'delete',
  options: deleteOptions,
  codes: [200, 202],
};
const patch: Verb = {
  method: 'patch',
  action: 'patch',
  verb: 'patch',
  options: ['dryRun', 'fieldManager for patch', 'fieldValidation', 'force'],
  codes: [200],
};

/** Follows apiextensions-apiserver pkg/controller/openapi/builder/builder.go. */
export function createPaths(names: PathNames): readonly PathItem[] {
  const { group, version, plural, namespaced } = names;
  const root = `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const item = `${collection}/{name}`;
  const subresource = [readOne, replace, patch];
  return [
    pathItem(names, collection, '', [list, create, deleteCollection]),
    pathItem(names, item, '', [readOne, replace, deleteOne, patch]),
    ...(names.hasStatus ? [pathItem(names, `${item}/status`, 'status', subresource)] : []),
    ...(names.hasScale ? [pathItem(names, `${item}/scale`, 'scale', subresource)] : []),
    ...(namespaced ? [pathItem(names, `${root}/${plural}`, '', [list])] : []),
  ];
}

function pathItem(names: PathNames, path: string, subresource: string, verbs: readonly Verb[]): PathItem {
  const common = [...pathParameters(names, path), queryParameter('pretty')];
  const [only, ...others] = verbs;
  // The parameters of a single operation are those of the path.
  const isSingle = only !== undefined && others.length === 0;
  const parameters = isSingle ? sortByParameterName([...common, ...only.options.map(queryParameter)]) : common;
  return {
    path,
    operations: verbs.map((verb) => operation(names, { path, subresource, verb, isSingle })),
    parameters,
  };
}

const sortByParameterName = (parameters: readonly JsonObject[]): readonly JsonObject[] =>
  parameters.toSorted((a, b) => (asString(a['name']) < asString(b['name']) ? -1 : 1));

const queryParameters: Readonly<Record<string, { readonly type: string; readonly description: string }>> =
  parameterTexts;

function queryParameter(name: string): JsonObject {
  const { type = 'string', description = '' } = queryParameters[name] ?? {};
  const [plainName = name] = name.split(' ');
  return { name: plainName, in: 'query', description, schema: { type, uniqueItems: true } };
}

function pathParameters({ kind }: PathNames, path: string): readonly JsonObject[] {
  const parameter = (name: string, description: string): readonly JsonObject[] =>
    path.includes(`{${name}}`)
      ? [{ name, in: 'path', description, required: true, schema: { type: 'string', uniqueItems: true } }]
      : [];
  return [
    ...parameter('name', `name of the ${kind}`),
    ...parameter('namespace', 'object name and auth scope, such as for teams and projects'),
  ];
}

interface OperationSite {
  readonly path: string;
  readonly subresource: string;
  readonly verb: Verb;
  readonly isSingle: boolean;
}

function operation(names: PathNames, { path, subresource, verb, isSingle }: OperationSite): OpenApiOperation {
  const { group, version } = names;
  return {
    method: verb.method,
    action: verb.action,
    operationId: createOperationId(names, path, subresource, verb.verb),
    description: describeOperation(names.kind, subresource, verb.verb),
    tag: `${toCamelCase(shortenGroup(group), false)}_${toCamelCase(version, false)}`,
    parameters: isSingle ? [] : verb.options.map(queryParameter),
    ...readBody(names, subresource, verb),
    answer: responseSchemaName(names, subresource, verb),
    codes: verb.codes,
  };
}

export const statusTexts: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };
export const documentMediaTypes = ['application/json', 'application/yaml'];
const patchMediaTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

function readBody(
  names: PathNames,
  subresource: string,
  { verb }: Verb,
): Pick<OpenApiOperation, 'body' | 'consumes' | 'isBodyRequired'> {
  const own = subresource === 'scale' ? scaleSchema : names.schema;
  if (verb === 'create' || verb === 'replace') return { body: own, consumes: documentMediaTypes, isBodyRequired: true };
  if (verb === 'patch') return { body: `${metaPackage}.Patch`, consumes: patchMediaTypes, isBodyRequired: true };
  const body = verb === 'delete' ? `${metaPackage}.DeleteOptions` : undefined;
  return { body, consumes: documentMediaTypes, isBodyRequired: false };
}

function responseSchemaName(names: PathNames, subresource: string, { verb }: Verb): string {
  if (verb === 'delete' || verb === 'deletecollection') return `${metaPackage}.Status`;
  if (verb === 'list') return names.listSchema;
  return subresource === 'scale' ? scaleSchema : names.schema;
}

/** `remedy.karmada.io` as `RemedyKarmadaIo`. */
function toCamelCase(text: string, isUpper: boolean): string {
  const whole = text.replaceAll(/(?:^|[^a-zA-Z0-9_]+)([a-zA-Z0-9_])/g, (_all, first: string) => first.toUpperCase());
  return isUpper ? whole : whole.slice(0, 1).toLowerCase() + whole.slice(1);
}

const shortenGroup = (group: string): string => group.replace(/\.k8s\.io$/u, '');

/** Follows apiserver pkg/endpoints/openapi/openapi.go GetOperationIDAndTags. */
function createOperationId(names: PathNames, path: string, subresource: string, verb: string): string {
  const { group, version, kind, namespaced } = names;
  const isInNamespace = path.includes('{namespace}');
  const [start, collection] = verb === 'deletecollection' ? ['delete', 'Collection'] : [verb, ''];
  const scope = isInNamespace ? 'Namespaced' : '';
  const everywhere = namespaced && !isInNamespace ? 'ForAllNamespaces' : '';
  const operation = `${collection}${scope}${kind}${toCamelCase(subresource, true)}${everywhere}`;
  return `${start}${toCamelCase(shortenGroup(group), true)}${toCamelCase(version, true)}${toCamelCase(operation, true)}`;
}

function describeOperation(kind: string, subresource: string, verb: string): string {
  const of = subresource === '' ? '' : ` ${subresource} of`;
  switch (verb) {
    case 'list':
      return `list${of} objects of kind ${kind}`;
    case 'patch':
      return `partially update${of} the specified ${kind}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    case 'create':
    case 'delete':
      return `${verb}${of}${article(kind)}${kind}`;
    default:
      return `${verb}${of} the specified ${kind}`;
  }
}

/** None for words that look plural. Follows apiserver pkg/endpoints/installer.go GetArticleForNoun. */
function article(noun: string): string {
  if (noun.endsWith('s') && !noun.endsWith('ss')) return ' ';
  return /^[aeiou]/i.test(noun) ? ' an ' : ' a ';
}

export const groupVersionKind = ({ group, version, kind }: PathNames): JsonValue => ({ group, version, kind });
