/** What a URL and a method ask for. Follows apiserver pkg/endpoints/request/requestinfo.go. */
export type RequestInfo = ResourceRequest | PathRequest;

export interface ResourceRequest {
  readonly type: 'resource';
  /** The verb that is authorised: get, list, watch, create, update, patch, delete or deletecollection. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** '' outside a namespace; a Namespace's own name for the Namespace and its subresources. */
  readonly namespace: string;
  /** '' for a collection. */
  readonly name: string;
  /** What follows the subresource: the path that a proxy is asked for. */
  readonly rest: readonly string[];
}

export interface PathRequest {
  readonly type: 'path';
  /** The method in lower case. */
  readonly verb: string;
  readonly path: string;
}

const namespaceSubresources = new Set(['status', 'finalize']);

/** `path` is percent-decoded and without the query; only `watch` and `fieldSelector` of the query matter here. */
export function requestInfoOf(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = path.split('/').filter((part) => part !== '');
  const root = rootOf(parts);
  if (!root || root.rest.length === 0) return { type: 'path', verb: method.toLowerCase(), path };
  const watchPrefix = root.rest[0] === 'watch' && root.rest.length > 1;
  const place = placeOf(watchPrefix ? root.rest.slice(1) : root.rest);
  const name = place.name || (place.isCollection ? nameInFieldSelector(query) : '');
  return {
    type: 'resource',
    verb: verbOf(method, { isCollection: place.isCollection, watch: watchPrefix || isTrue(query.get('watch')) }),
    group: root.group,
    version: root.version,
    resource: place.resource,
    subresource: place.subresource,
    namespace: place.namespace,
    name: method === 'GET' || method === 'HEAD' || method === 'DELETE' ? name : place.name,
    rest: place.rest,
  };
}

interface Root {
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
}

function rootOf(parts: readonly string[]): Root | undefined {
  const [prefix, first, second] = parts;
  if (prefix === 'api' && first !== undefined) return { group: '', version: first, rest: parts.slice(2) };
  if (prefix === 'apis' && first !== undefined && second !== undefined) {
    return { group: first, version: second, rest: parts.slice(3) };
  }
  return undefined;
}

interface Place {
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly rest: readonly string[];
  readonly isCollection: boolean;
}

function placeOf(parts: readonly string[]): Place {
  const [first = '', second = '', third = ''] = parts;
  const inNamespace = first === 'namespaces' && parts.length > 2 && !namespaceSubresources.has(third);
  const [resource = '', name = '', subresource = '', ...rest] = inNamespace ? parts.slice(2) : parts;
  const namespace = first === 'namespaces' ? second : '';
  return { resource, subresource, namespace, name, rest, isCollection: name === '' };
}

function verbOf(method: string, ask: { readonly isCollection: boolean; readonly watch: boolean }): string {
  switch (method) {
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return ask.isCollection ? 'deletecollection' : 'delete';
    case 'GET':
    case 'HEAD':
      if (ask.isCollection) return ask.watch ? 'watch' : 'list';
      return ask.watch ? 'watch' : 'get';
    default:
      return '';
  }
}

/** A list of one name by field selector is authorised like that object. */
function nameInFieldSelector(query: URLSearchParams): string {
  const match = /(?:^|,)metadata\.name==?([^,]*)/.exec(query.get('fieldSelector') ?? '');
  return match?.[1] ?? '';
}

/** How upstream reads a boolean query parameter. */
export const isTrue = (value: string | null): boolean =>
  value !== null && !['', 'false', '0'].includes(value.toLowerCase());
