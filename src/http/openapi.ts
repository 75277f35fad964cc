import { apiVersionOf, parseApiVersion } from '../apimachinery/gvk.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { writeJson } from '../apimachinery/json-writer.ts';
import type { ApiRequest, ApiResponse } from '../request/api-request.ts';
import type { Catalogue } from '../schema/catalogue.ts';
import { parseAccept } from './accept.ts';
import { contentHash } from './content-hash.ts';
import { perCatalogue } from './per-catalogue.ts';

export interface OpenApiSources {
  readonly catalogue: Catalogue;
  /** The OpenAPI 3.0 document of one group and version. */
  readonly openApiV3: (groupVersion: { readonly group: string; readonly version: string }) => JsonObject;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const year = 365 * 24 * 3600 * 1000;

/** `/openapi/v2`, `/openapi/v3` and its documents; undefined for any other path. Follows kube-openapi pkg/handler and pkg/handler3. */
export function createOpenApi({
  catalogue,
  openApiV3,
  now,
}: OpenApiSources): (request: ApiRequest) => ApiResponse | undefined {
  const versions = perCatalogue(catalogue, (rows) => new Set(rows.map(pathOf)));
  const documents = perCatalogue(catalogue, (_rows, path) => {
    const body = writeJson(openApiV3(groupVersionOf(path)));
    return { body, hash: contentHash(body) };
  });
  const urlOf = (path: string): string => `/openapi/v3/${path}?hash=${documents(path).hash}`;
  const index = perCatalogue(catalogue, () => {
    const paths = [...versions('')].map((path) => [path, { serverRelativeURL: urlOf(path) }]);
    return writeJson({ paths: Object.fromEntries(paths) });
  });
  return (request) => {
    if (request.path === '/openapi/v2') return openApiV2(request);
    if (request.path === '/openapi/v3' || request.path === '/openapi/v3/') {
      return document(200, 'text/plain; charset=utf-8', index(''));
    }
    if (!request.path.startsWith('/openapi/v3/')) return undefined;
    const path = request.path.slice('/openapi/v3/'.length);
    if (!versions('').has(path)) return document(404, 'text/plain; charset=utf-8', '');
    const found = documents(path);
    if (!acceptsJson(request)) return document(406, 'text/plain; charset=utf-8', '');
    const asked = request.query.get('hash') ?? '';
    if (asked !== '' && asked !== found.hash)
      return document(301, 'text/plain; charset=utf-8', '', { location: urlOf(path) });
    const caching =
      asked === ''
        ? { 'cache-control': 'no-cache, private' }
        : { 'cache-control': 'public, immutable', expires: new Date(now() + year).toUTCString() };
    return document(200, 'application/json', found.body, { etag: `"${found.hash}"`, vary: 'Accept', ...caching });
  };
}

const pathOf = (row: { readonly group: string; readonly version: string }): string =>
  `${row.group === '' ? 'api' : 'apis'}/${apiVersionOf(row)}`;

/** The reverse: `apis/apps/v1`, `api/v1`. */
const groupVersionOf = (path: string): { readonly group: string; readonly version: string } =>
  parseApiVersion(path.slice(path.indexOf('/') + 1));

const acceptsJson = ({ headers }: ApiRequest): boolean => {
  const accept = String(headers['accept'] ?? '');
  return (
    accept === '' ||
    parseAccept(accept).some(
      ({ type, subtype }) => type === '*' || (type === 'application' && ['json', '*'].includes(subtype)),
    )
  );
};

/** gnostic's openapi.v2.Document in protobuf: swagger 2.0, info{title, version}, no paths. kubectl up to 1.28 insists on it. */
const emptyV2 = Buffer.from('0a03322e30120b0a066b61646d69741201314200', 'hex');
const v2Types = ['com.github.proto-openapi.spec.v2@v1.0+protobuf', 'com.github.proto-openapi.spec.v2.v1.0+protobuf'];

/** Valid, but empty (spec/kubectl.md section 4.2). */
function openApiV2({ headers }: ApiRequest): ApiResponse {
  const clauses = parseAccept(String(headers['accept'] ?? ''));
  const asProtobuf = clauses.find(
    ({ type, subtype }) => type === 'application' && [...v2Types, 'json', '*'].includes(subtype),
  );
  if (asProtobuf && v2Types.includes(asProtobuf.subtype)) {
    return document(200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', emptyV2, { vary: 'Accept' });
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
