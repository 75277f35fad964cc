import { plainText } from './api-request.ts';
import { pathSegmentName } from '../../machinery/meta/names.ts';
import type { ResourceQuestion } from '../auth/authorizer.ts';

export type RequestInfo = ResourceRequest | PathRequest;

export interface ResourceRequest extends Omit<ResourceQuestion, 'user' | 'fieldSelector' | 'labelSelector'> {
  /** The proxied path with a leading slash, or ''. */
  readonly subpath: string;
}

export interface PathRequest {
  readonly type: 'path';
  readonly verb: string;
  readonly path: string;
}

const namespaceSubresources = new Set(['status', 'finalize']);

/** Follows apiserver pkg/endpoints/request/requestinfo.go. `path` is decoded and without the query. */
export function requestInfoOf(method: string, path: string, query: URLSearchParams): RequestInfo {
  const parts = splitPath(path);
  const root = parseRoot(parts);
  if (!root || root.rest.length === 0) return { type: 'path', verb: method.toLowerCase(), path };
  const watchPrefix = root.rest[0] === 'watch' && root.rest.length > 1;
  const resourcePath = parseResourcePath(watchPrefix ? root.rest.slice(1) : root.rest);
  const verb = watchPrefix ? 'watch' : requestVerb(method, resourcePath.isCollection, query);
  const selected = verb === 'list' || (verb === 'watch' && !watchPrefix) ? nameInFieldSelector(query) : '';
  const { group, version } = root;
  const { resource, subresource, namespace, name, rest } = resourcePath;
  const subpath = joinSubpath(rest, path);
  // Fields are named one by one: spreading is slow here.
  return { type: 'resource', verb, group, version, resource, subresource, namespace, name: name || selected, subpath };
}

/** Follows requestinfo.go splitPath: empty segments in the middle count. */
function splitPath(path: string): readonly string[] {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return start === end ? [] : path.slice(start, end).split('/');
}

/** Follows apiserver pkg/endpoints/handlers/rest.go getRequestOptions. */
function joinSubpath(rest: readonly string[], path: string): string {
  const joined = rest.join('/');
  const rooted = joined === '' || joined.startsWith('/') ? joined : `/${joined}`;
  return path.endsWith('/') && !rooted.endsWith('/') ? `${rooted}/` : rooted;
}

interface Root {
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
}

function parseRoot(parts: readonly string[]): Root | undefined {
  const [prefix, first, second] = parts;
  if (prefix === 'api' && first !== undefined) return { group: '', version: first, rest: parts.slice(2) };
  if (prefix === 'apis' && first !== undefined && second !== undefined) {
    return { group: first, version: second, rest: parts.slice(3) };
  }
  return undefined;
}

interface ResourcePath {
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly rest: readonly string[];
  readonly isCollection: boolean;
}

function parseResourcePath(parts: readonly string[]): ResourcePath {
  const [first = '', second = '', third = ''] = parts;
  const inNamespace = first === 'namespaces' && parts.length > 2 && !namespaceSubresources.has(third);
  const [resource = '', name = '', subresource = '', ...rest] = inNamespace ? parts.slice(2) : parts;
  const namespace = first === 'namespaces' ? second : '';
  return { resource, subresource, namespace, name, rest, isCollection: name === '' };
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

function requestVerb(method: string, isCollection: boolean, query: URLSearchParams): string {
  const verb = verbs.get(method) ?? '';
  if (!isCollection) return verb;
  if (verb === 'get') return isTrueParameter(query.get('watch')) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** A list of one name is authorized like that object. */
function nameInFieldSelector(query: URLSearchParams): string {
  const terms = (query.get('fieldSelector') ?? '').split(',').filter((term) => term !== '');
  const read = terms.map((term) => /^([^=!]+)(!=|==|=)(.*)$/s.exec(term));
  if (read.includes(null)) return '';
  const match = read.find((term) => term?.[1]?.trim() === 'metadata.name' && term[2] !== '!=');
  const name = match?.[3] ?? '';
  return pathSegmentName(name).length === 0 ? name : '';
}

/** Any present value but `false` and `0` is true. Follows apimachinery pkg/runtime/conversion.go. */
export const isTrueParameter = (value: string | null): boolean =>
  value !== null && !['false', '0'].includes(value.toLowerCase());

/** 404 of unserved paths. */
export const pageNotFound = plainText(404, '404 page not found\n');

/** `/api/v2`, `/apis/apps/v9`: a version and nothing below. */
export function groupOfPath(path: string): string | undefined {
  const [, core, group] = /^\/(?:(api)|apis\/([^/]+))\/[^/]+$/.exec(path) ?? [];
  return core === undefined ? group : '';
}
