import type { Catalogue, ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import {
  createAggregatedDiscovery,
  createGroupDocument,
  createGroupList,
  createLegacyVersions,
  createApiResourceList,
} from '../../api/types/catalogue/discovery.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { apiVersionOf } from '../../machinery/meta/gvk.ts';
import { methodNotAllowed } from '../../machinery/meta/status.ts';
import { type AcceptClause, parseAccept } from './accept.ts';
import { statusResponse } from './json-body.ts';

interface Discovery {
  readonly serve: (request: ApiRequest) => Promise<ApiResponse | undefined>;
  readonly paths: () => readonly string[];
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** `/api`, `/apis` and below, down to the resource list of a version. Follows apiserver pkg/endpoints/discovery. */
export function createDiscovery(
  catalogue: Catalogue,
  serverAddress: () => string,
  hashContent: HashContent,
): Discovery {
  const aggregated = perCatalogue(catalogue, async (path) => {
    const document = createAggregatedDiscovery(catalogue, path === '/api' ? 'api' : 'apis');
    const body = `${writeJson(document)}\n`;
    return { body, etag: `"${await hashContent(body)}"` };
  });
  const legacy = (path: string): JsonObject | undefined => {
    const [, root, first, version, ...more] = path.split('/');
    if (more.length > 0) return undefined;
    if (root === 'api') {
      if (version !== undefined) return undefined;
      return first === undefined ? createLegacyVersions(serverAddress()) : createApiResourceList(catalogue, '', first);
    }
    if (first === undefined) return createGroupList(catalogue);
    return version === undefined
      ? createGroupDocument(catalogue, first)
      : createApiResourceList(catalogue, first, version);
  };
  return {
    serve: async (request) => {
      const path = request.path.replace(/\/$/, '');
      if (!/^\/apis?(?:\/|$)/.test(path)) return undefined;
      const isRoot = path === '/api' || path === '/apis';
      const document = legacy(path);
      if (document === undefined) return undefined;
      if (request.method !== 'GET' && !isOfAggregator(path)) {
        return statusResponse(methodNotAllowed());
      }
      if (isRoot && wantsAggregated(request)) {
        return unlessKnown(request, aggregatedAnswer(await aggregated(path)));
      }
      return { type: 'object', code: 200, body: document, warnings: [] };
    },
    paths: () => pathsOf(catalogue.all()),
  };
}

/** The aggregator serves these with any method. Follows kube-aggregator pkg/apiserver/handler_apis.go. */
const isOfAggregator = (path: string): boolean => /^\/apis(?:\/[^/]+)?$/.test(path);

/**
 * The first clause that either form satisfies decides; v2beta1 was removed. Follows apiserver
 * pkg/endpoints/discovery/aggregated/wrapper.go.
 */
function wantsAggregated({ headers }: ApiRequest): boolean {
  const clause = parseAccept(String(headers['accept'] ?? '')).find(
    (one) => isJson(one) && (isAggregated(one) || isPlain(one)),
  );
  return clause !== undefined && isAggregated(clause);
}

const isJson = ({ type, subtype }: AcceptClause): boolean =>
  (type === 'application' || type === '*') && (subtype === 'json' || subtype === '*');

const isAggregated = ({ parameters }: AcceptClause): boolean =>
  parameters.get('g') === 'apidiscovery.k8s.io' &&
  parameters.get('v') === 'v2' &&
  parameters.get('as') === 'APIGroupDiscoveryList';

const isPlain = ({ parameters }: AcceptClause): boolean => !['g', 'v', 'as'].some((name) => parameters.has(name));

interface Aggregated {
  readonly body: string;
  readonly etag: string;
}

/** Follows apiserver pkg/endpoints/discovery/aggregated/etag.go. */
const aggregatedAnswer = ({ body, etag }: Aggregated): Extract<ApiResponse, { type: 'document' }> => ({
  type: 'document',
  code: 200,
  contentType: aggregatedType,
  body,
  headers: { etag, vary: 'Accept', 'cache-control': 'public' },
});

function pathsOf(rows: readonly ResourceInfo[]): readonly string[] {
  const groups = rows.flatMap(({ group }) => (group === '' ? [] : [`/apis/${group}`]));
  const versions = rows.map((row) => (row.group === '' ? `/api/${row.version}` : `/apis/${apiVersionOf(row)}`));
  return [...new Set(['/api', '/apis', '/apis/', ...groups, ...versions])];
}

/** SHA-512 in upper-case hex. Follows apiserver pkg/endpoints/discovery/aggregated/etag.go. */
export type HashContent = (content: string | Uint8Array) => Promise<string>;

/** Caches what `make` returns per key until the catalogue changes. */
export function perCatalogue<Made>(catalogue: Catalogue, make: (key: string) => Made): (key: string) => Made {
  let made = new Map<string, Made>();
  let madeOf = catalogue.all();
  return (key) => {
    const rows = catalogue.all();
    if (rows !== madeOf) made = new Map();
    madeOf = rows;
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}

type Document = Extract<ApiResponse, { type: 'document' }>;

/**
 * The document, or 304 for a client that has it by its ETag or, without one, by Last-Modified. Follows go
 * src/net/http/fs.go checkPreconditions.
 */
export function unlessKnown({ headers }: ApiRequest, document: Document): Document {
  const { etag, 'last-modified': modified } = document.headers ?? {};
  const tags = headers['if-none-match'];
  const since = headers['if-modified-since'];
  const isKnown = tags === undefined ? isSince(modified, since) : namesTag(String(tags), etag);
  return isKnown ? { ...document, code: 304, body: '' } : document;
}

/** Weak comparison: `W/"a"` equals `"a"`. */
const namesTag = (tags: string, etag: string | undefined): boolean =>
  etag !== undefined && tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

function isSince(modified: string | undefined, since: string | readonly string[] | undefined): boolean {
  if (modified === undefined || typeof since !== 'string') return false;
  return Date.parse(modified) <= Date.parse(since);
}
