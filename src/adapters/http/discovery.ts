import { apiVersionOf } from '../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { methodNotAllowed } from '../../machinery/meta/status.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Catalogue, ResourceInfo } from '../../api/types/catalogue/catalogue.ts';
import {
  aggregatedDiscovery,
  groupDocument,
  groupList,
  legacyVersions,
  resourceList,
} from '../../api/types/catalogue/discovery.ts';
import { parseAccept } from './accept.ts';
import type { AcceptClause } from './accept.ts';
import { unlessKnown } from './conditional.ts';
import { contentHash } from './content-hash.ts';
import { perCatalogue } from './per-catalogue.ts';

interface Discovery {
  readonly serve: (request: ApiRequest) => Promise<ApiResponse | undefined>;
  readonly paths: () => readonly string[];
}

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** `/api`, `/apis` and what is below, down to the list of a version's resources. Follows apiserver pkg/endpoints/discovery. */
export function createDiscovery(catalogue: Catalogue, serverAddress: () => string): Discovery {
  const aggregated = perCatalogue(catalogue, async (path) => {
    const document = aggregatedDiscovery(catalogue, path === '/api' ? 'api' : 'apis');
    const body = `${writeJson(document)}\n`;
    return { body, etag: `"${contentHash(body)}"` };
  });
  const legacy = (path: string): JsonObject | undefined => {
    const [, root, first, version, ...more] = path.split('/');
    if (more.length > 0) return undefined;
    if (root === 'api') {
      if (version !== undefined) return undefined;
      return first === undefined ? legacyVersions(serverAddress()) : resourceList(catalogue, '', first);
    }
    if (first === undefined) return groupList(catalogue);
    return version === undefined ? groupDocument(catalogue, first) : resourceList(catalogue, first, version);
  };
  return {
    serve: async (request) => {
      const path = request.path.replace(/\/$/, '');
      if (!/^\/apis?(?:\/|$)/.test(path)) return undefined;
      const isRoot = path === '/api' || path === '/apis';
      const document = legacy(path);
      if (document === undefined) return undefined;
      if (request.method !== 'GET' && !isOfAggregator(path)) {
        return { type: 'status', status: methodNotAllowed(), warnings: [] };
      }
      if (isRoot && wantsAggregated(request)) {
        return unlessKnown(request, aggregatedAnswer(await aggregated(path)));
      }
      return { type: 'object', code: 200, body: document, warnings: [] };
    },
    paths: () => pathsOf(catalogue.all()),
  };
}

/** The list of groups and each group are answered by the aggregator, whatever the method. Follows kube-aggregator pkg/apiserver/handler_apis.go. */
const isOfAggregator = (path: string): boolean => /^\/apis(?:\/[^/]+)?$/.test(path);

/**
 * The first clause that either form satisfies decides; v2beta1 has gone. Follows apiserver
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
