import { writeJson } from '../apimachinery/json-writer.ts';
import type { ApiRequest, ApiResponse } from '../request/api-request.ts';
import type { Catalogue } from '../schema/catalogue.ts';
import { openapiDocument, openapiHash, openapiIndex, openapiV2Document } from '../schema/openapi.ts';
import { parseAccept } from './accept.ts';
import { perCatalogue } from './per-catalogue.ts';

const year = 365 * 24 * 3600 * 1000;

/** `/openapi/v2`, `/openapi/v3` and its documents; undefined for any other path. Follows kube-openapi pkg/handler and pkg/handler3. */
export function createOpenApi(
  catalogue: Catalogue,
  now: () => number,
): (request: ApiRequest) => ApiResponse | undefined {
  const index = perCatalogue(catalogue, () => writeJson(openapiIndex(catalogue)));
  const documents = perCatalogue(catalogue, (path) => writeJson(openapiDocument(catalogue, path) ?? null));
  return (request) => {
    if (request.path === '/openapi/v2') return openApiV2(request);
    if (request.path === '/openapi/v3' || request.path === '/openapi/v3/') {
      return document(200, 'text/plain; charset=utf-8', index(''));
    }
    if (!request.path.startsWith('/openapi/v3/')) return undefined;
    const path = request.path.slice('/openapi/v3/'.length);
    const hash = openapiHash(catalogue, path);
    if (hash === undefined) return document(404, 'text/plain; charset=utf-8', '');
    if (!acceptsJson(request)) return document(406, 'text/plain; charset=utf-8', '');
    const asked = request.query.get('hash') ?? '';
    if (asked !== '' && asked !== hash)
      return document(301, 'text/plain; charset=utf-8', '', { location: `/openapi/v3/${path}?hash=${hash}` });
    const caching =
      asked === ''
        ? { 'cache-control': 'no-cache, private' }
        : { 'cache-control': 'public, immutable', expires: new Date(now() + year).toUTCString() };
    return document(200, 'application/json', documents(path), { etag: `"${hash}"`, vary: 'Accept', ...caching });
  };
}

const acceptsJson = ({ headers }: ApiRequest): boolean => {
  const accept = String(headers['accept'] ?? '');
  return (
    accept === '' ||
    parseAccept(accept).some(
      ({ type, subtype }) => type === '*' || (type === 'application' && ['json', '*'].includes(subtype)),
    )
  );
};

const v2Types = ['com.github.proto-openapi.spec.v2@v1.0+protobuf', 'com.github.proto-openapi.spec.v2.v1.0+protobuf'];

/** Valid, but empty (spec/kubectl.md section 4.2). */
function openApiV2({ headers }: ApiRequest): ApiResponse {
  const clauses = parseAccept(String(headers['accept'] ?? ''));
  const asProtobuf = clauses.find(
    ({ type, subtype }) => type === 'application' && [...v2Types, 'json', '*'].includes(subtype),
  );
  if (asProtobuf && v2Types.includes(asProtobuf.subtype)) {
    return document(200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', openapiV2Document(), {
      vary: 'Accept',
    });
  }
  const empty = { swagger: '2.0', info: { title: 'kadmit', version: '1' }, paths: {} };
  return document(200, 'application/json', JSON.stringify(empty), { vary: 'Accept' });
}

function document(
  code: number,
  contentType: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse {
  return { type: 'document', code, contentType, body, headers };
}
