import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import { issuerDocuments } from '../../api/types/openapi/openapi-general.ts';
import { createOpenapiDocument, hashOpenapi, createOpenapiIndex } from '../../api/types/openapi/openapi.ts';
import { collectOwnOpenapi } from '../../api/types/openapi/own-openapi.ts';
import type { ApiRequest, ApiResponse, DocumentBody } from '../../apiserver/request/api-request.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { type AcceptClause, parseAccept } from './accept.ts';
import { type HashContent, perCatalogue, unlessKnown } from './discovery.ts';

const year = 365 * 24 * 3600 * 1000;
const plain = 'text/plain; charset=utf-8';

interface OpenApiPorts {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly hashContent: HashContent;
  readonly hasIssuer?: boolean;
}

/** `/openapi/v2`, `/openapi/v3` and its documents; undefined for any other path. Follows kube-openapi pkg/handler and pkg/handler3. */
export function createOpenApi(
  catalogue: Catalogue,
  { now, hashContent, hasIssuer = false }: OpenApiPorts,
): (request: ApiRequest) => Promise<ApiResponse | undefined> {
  const more = hasIssuer ? issuerDocuments : [];
  const v2 = createOpenApiV2(catalogue, { now, hashContent });
  let modified = 0;
  const index = perCatalogue(catalogue, async () => {
    hashEach(catalogue);
    // Clients revalidate by whole seconds, and the previous index may be of the same second.
    modified = Math.max(now(), modified + 1000);
    return { body: writeJson(createOpenapiIndex(catalogue, more)), modified: httpTime(modified) };
  });
  const documents = perCatalogue(catalogue, (path) => (createOpenapiDocument(catalogue, path) ?? ['null']).join(''));
  const one = async (request: ApiRequest): Promise<ApiResponse> => {
    hashEach(catalogue);
    const path = request.path.slice('/openapi/v3/'.length);
    const hash = hashOpenapi(catalogue, path, more);
    if (hash === undefined) return document(404, plain, '');
    if (!acceptsJson(request)) return document(406, plain, '');
    const requestedHash = request.query.get('hash') ?? '';
    if (requestedHash !== '' && requestedHash !== hash)
      return document(301, plain, '', { location: `/openapi/v3/${path}?hash=${hash}` });
    const caching =
      requestedHash === ''
        ? { 'cache-control': 'no-cache, private' }
        : { 'cache-control': 'public, immutable', expires: httpTime(now() + year) };
    const headers = { etag: `"${hash}"`, vary: 'Accept', ...caching };
    return unlessKnown(request, document(200, 'application/json', documents(path), headers));
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

/** Computes the hashes of definitions; later calls are cheap. */
function hashEach(catalogue: Catalogue): void {
  for (const { hash } of collectOwnOpenapi(catalogue.all())) {
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

/**
 * `/openapi/v2` as JSON and protobuf, built on demand: only old clients read it. Follows kube-openapi
 * pkg/handler/handler.go.
 */
function createOpenApiV2(
  catalogue: Catalogue,
  { now, hashContent }: OpenApiPorts,
): (request: ApiRequest) => Promise<ApiResponse> {
  const documents = perCatalogue(catalogue, async (form) => {
    const body = await encode(await build(catalogue), form);
    return { body, etag: `"${await hashContent(body)}"`, modified: new Date(now()).toUTCString() };
  });
  return async (request) => {
    const form = formFor(request);
    if (form === undefined) return { type: 'document', code: 406, contentType: 'text/plain; charset=utf-8', body: '' };
    const { body, etag, modified } = await documents(form);
    const headers = { etag, 'last-modified': modified, vary: 'Accept' };
    return unlessKnown(request, { type: 'document', code: 200, contentType: form, body, headers });
  };
}

const protobufForm = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** Accepted types and their Content-Type: the older protobuf name is no valid media type. */
const forms: readonly (readonly [accepted: string, form: string])[] = [
  ['application/json', 'application/json'],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', protobufForm],
  [protobufForm, protobufForm],
];

function formFor({ headers }: ApiRequest): string | undefined {
  const accept = String(headers['accept'] ?? '');
  const clauses = parseAccept(accept === '' ? '*/*' : accept);
  return clauses
    .map((clause) => forms.find(([accepted]) => matches(clause, accepted))?.[1])
    .find((form) => form !== undefined);
}

function matches({ type, subtype }: AcceptClause, accepted: string): boolean {
  const [offeredType, offeredSubtype] = accepted.split('/');
  return [offeredType, '*'].includes(type) && [offeredSubtype, '*'].includes(subtype);
}

/** Clients before 1.29 need this document: a bug in a schema leaves an empty one. */
async function build(catalogue: Catalogue): Promise<JsonObject> {
  const { emptySwaggerDocument, createSwaggerDocument: swaggerDocument } =
    await import('../../api/types/openapi/openapi-v2.ts');
  try {
    const own = collectOwnOpenapi(catalogue.all()).map(({ v2 }) => v2());
    return swaggerDocument(catalogue, own);
  } catch {
    return emptySwaggerDocument;
  }
}

async function encode(document: JsonObject, form: string): Promise<Uint8Array> {
  if (form !== protobufForm) return new TextEncoder().encode(writeJson(document));
  const { encodeSwagger } = await import('./openapi-v2-protobuf.ts');
  return encodeSwagger(document);
}
