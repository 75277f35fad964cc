import type { JsonObject } from '../../machinery/json/json.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import { ownOpenapiOf } from '../../api/types/openapi/own-openapi.ts';
import { parseAccept } from './accept.ts';
import type { AcceptClause } from './accept.ts';
import { unlessKnown } from './conditional.ts';
import { createContentHash } from './content-hash.ts';
import { joined } from './json-pieces.ts';
import { perCatalogue } from './per-catalogue.ts';

/** `/openapi/v2` in two forms. Made when somebody asks: only old clients do. Follows kube-openapi pkg/handler/handler.go. */
export function createOpenApiV2(
  catalogue: Catalogue,
  now: () => number,
): (request: ApiRequest) => Promise<ApiResponse> {
  const documents = perCatalogue(catalogue, async (form) => {
    const { body, hash } = await encode(await build(catalogue), form);
    return { body, etag: `"${hash}"`, modified: new Date(now()).toUTCString() };
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

/** What a client may ask for, and the Content-Type it gets: the older name of protobuf is no media type. */
const forms: readonly (readonly [asked: string, form: string])[] = [
  ['application/json', 'application/json'],
  ['application/com.github.proto-openapi.spec.v2@v1.0+protobuf', protobufForm],
  [protobufForm, protobufForm],
];

function formFor({ headers }: ApiRequest): string | undefined {
  const accept = String(headers['accept'] ?? '');
  const clauses = parseAccept(accept === '' ? '*/*' : accept);
  return clauses
    .map((clause) => forms.find(([asked]) => matches(clause, asked))?.[1])
    .find((form) => form !== undefined);
}

function matches({ type, subtype }: AcceptClause, asked: string): boolean {
  const [offeredType, offeredSubtype] = asked.split('/');
  return [offeredType, '*'].includes(type) && [offeredSubtype, '*'].includes(subtype);
}

/** Clients before 1.29 can do nothing without a document, so a bug in the schemas leaves them an empty one. */
async function build(catalogue: Catalogue): Promise<JsonObject> {
  const { emptySwaggerDocument, swaggerDocument } = await import('../../api/types/openapi/openapi-v2.ts');
  try {
    const own = ownOpenapiOf(catalogue.all()).map(({ v2 }) => v2());
    return swaggerDocument(catalogue, own);
  } catch {
    return emptySwaggerDocument;
  }
}

interface Encoded {
  readonly body: readonly Uint8Array[];
  readonly hash: string;
}

async function encode(document: JsonObject, form: string): Promise<Encoded> {
  const pieces = await piecesOf(document, form);
  const hash = createContentHash();
  for (const piece of pieces) hash.add(piece);
  return { hash: hash.text(), body: pieces };
}

async function piecesOf(document: JsonObject, form: string): Promise<readonly Uint8Array[]> {
  if (form !== protobufForm) return [Buffer.from(writeJson(document))];
  const { loadSwaggerEncoder } = await import('./openapi-v2-protobuf.ts');
  const encode = await loadSwaggerEncoder();
  return joined(encode(document));
}
