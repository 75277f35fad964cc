import { writeJson } from '../../machinery/json/json-writer.ts';
import type { ApiRequest, ApiResponse, DocumentBody } from '../../apiserver/request/api-request.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import { openapiDocument, openapiHash, openapiIndex } from '../../api/types/openapi/openapi.ts';
import { issuerDocuments } from '../../api/types/openapi/openapi-general.ts';
import { ownOpenapiOf } from '../../api/types/openapi/own-openapi.ts';
import { parseAccept } from './accept.ts';
import { bytesOf } from './json-pieces.ts';
import { unlessKnown } from './conditional.ts';
import { createOpenApiV2 } from './openapi-v2.ts';
import { perCatalogue } from './per-catalogue.ts';

const year = 365 * 24 * 3600 * 1000;
const plain = 'text/plain; charset=utf-8';

/** `/openapi/v2`, `/openapi/v3` and its documents; undefined for any other path. Follows kube-openapi pkg/handler and pkg/handler3. */
export function createOpenApi(
  catalogue: Catalogue,
  now: () => number,
  hasIssuer = false,
): (request: ApiRequest) => Promise<ApiResponse | undefined> {
  const more = hasIssuer ? issuerDocuments : [];
  const v2 = createOpenApiV2(catalogue, now);
  let modified = 0;
  const index = perCatalogue(catalogue, async () => {
    hashEach(catalogue);
    // Its only validator counts seconds, and a definition is served at once: the index before it may be of this second.
    modified = Math.max(now(), modified + 1000);
    return { body: writeJson(openapiIndex(catalogue, more)), modified: httpTime(modified) };
  });
  const documents = perCatalogue(catalogue, async (path) => {
    const texts = openapiDocument(catalogue, path);
    return bytesOf(texts ?? ['null']);
  });
  const one = async (request: ApiRequest): Promise<ApiResponse> => {
    hashEach(catalogue);
    const path = request.path.slice('/openapi/v3/'.length);
    const hash = openapiHash(catalogue, path, more);
    if (hash === undefined) return document(404, plain, '');
    if (!acceptsJson(request)) return document(406, plain, '');
    const asked = request.query.get('hash') ?? '';
    if (asked !== '' && asked !== hash)
      return document(301, plain, '', { location: `/openapi/v3/${path}?hash=${hash}` });
    const caching =
      asked === ''
        ? { 'cache-control': 'no-cache, private' }
        : { 'cache-control': 'public, immutable', expires: httpTime(now() + year) };
    const headers = { etag: `"${hash}"`, vary: 'Accept', ...caching };
    return unlessKnown(request, document(200, 'application/json', await documents(path), headers));
  };
  return async (request) => {
    if (request.path === '/openapi/v2') return v2(request);
    if (request.path === '/openapi/v3' || request.path === '/openapi/v3/') {
      const { body, modified } = await index('');
      return unlessKnown(request, document(200, plain, body, { 'last-modified': modified }));
    }
    return request.path.startsWith('/openapi/v3/') ? one(request) : undefined;
  };
}

/** The hashes are kept: those of hundreds of definitions take a tenth of a second, the first time. */
function hashEach(catalogue: Catalogue): void {
  for (const { hash } of ownOpenapiOf(catalogue.all())) {
    hash();
  }
}

const httpTime = (milliseconds: number): string => new Date(milliseconds).toUTCString();

const acceptsJson = ({ headers }: ApiRequest): boolean => {
  const accept = String(headers['accept'] ?? '');
  return (
    accept === '' ||
    parseAccept(accept).some(
      ({ type, subtype }) => type === '*' || (type === 'application' && ['json', '*'].includes(subtype)),
    )
  );
};

type Document = Extract<ApiResponse, { type: 'document' }>;

function document(
  code: number,
  contentType: string,
  body: DocumentBody,
  headers: Readonly<Record<string, string>> = {},
): Document {
  return { type: 'document', code, contentType, body, headers };
}
