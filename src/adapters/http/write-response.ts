import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { Release } from '../../api/release/release.ts';
import type { ApiRequest, ApiResponse, Headers, Printed, WatchEvent } from '../../apiserver/request/api-request.ts';
import { isTrueParameter } from '../../apiserver/request/request-info.ts';
import { readGoBool } from '../../machinery/go/strconv.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { asObject, type JsonObject } from '../../machinery/json/json.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import type { Status } from '../../machinery/meta/status.ts';
import { sentWarnings } from '../../machinery/meta/sent-warnings.ts';
import {
  accept,
  errors,
  type MediaType,
  negotiate,
  type Negotiated,
  objects,
  offerOf,
  protobufType,
  type Representation,
  watches,
} from './accept.ts';
import {
  encodeBody,
  encodeListInParts,
  isLongList,
  type WatchFrame,
  frameEncoder,
  type WireDocument,
  type WireHeaders,
  type WireParts,
  type WireResponse,
} from './encode.ts';
import { asPartialObjectMetadata, asPartialObjectMetadataList, type MetadataForm } from './partial-object-metadata.ts';

function gzipHeaders(headers: WireHeaders): WireHeaders {
  const vary = headers['vary'] === undefined ? 'Accept-Encoding' : `${String(headers['vary'])}, Accept-Encoding`;
  return { ...headers, 'content-encoding': 'gzip', vary };
}

const acceptsGzip = ({ headers }: ApiRequest): boolean =>
  /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|$)/.test(String(headers['accept-encoding'] ?? ''));

const compressFrom = 128 * 1024;
const compress = promisify(gzip);

async function finished(
  request: ApiRequest,
  code: number,
  headers: WireHeaders,
  body: string | Buffer,
): Promise<WireDocument> {
  if (body.length < compressFrom || !acceptsGzip(request)) return { type: 'buffered', code, headers, body };
  return { type: 'buffered', code, headers: gzipHeaders(headers), body: await compress(body, { level: 1 }) };
}

/**
 * By parameter, or for terminals and browsers. Follows apiserver pkg/endpoints/handlers/negotiation/negotiate.go
 * isPrettyPrint.
 */
function wantsPretty({ query, headers }: ApiRequest): boolean {
  const pretty = query.get('pretty');
  if (pretty) return readGoBool(pretty) === true;
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(String(headers['user-agent'] ?? ''));
}

/** `Warning` header values in order; some warnings are left out. */
export const warningHeaders = (warnings: Iterable<string>): readonly string[] => sentWarnings(warnings).map(headerOf);

/** Agent `-` and a quoted string. Follows apimachinery pkg/util/net/http.go NewWarningHeader. */
const headerOf = (text: string): string => `299 - "${text.replaceAll(/["\\]/g, '\\$&')}"`;

export interface WirePorts {
  readonly now: () => number;
  readonly release: Pick<Release, 'columnsOf' | 'printedColumnsOf' | 'minor' | 'loadProtobuf' | 'isOn'>;
}

/**
 * The response in the representation that the client accepts: 406 when there is none, but errors are always sent, as
 * JSON if necessary. Follows apiserver pkg/endpoints/handlers/responsewriters/writers.go.
 */
export async function toWire(request: ApiRequest, response: ApiResponse, ports: WirePorts): Promise<WireResponse> {
  switch (response.type) {
    case 'watch':
      return watchOf(request, response, ports);
    case 'document':
      return documentOf(request, response);
    case 'status':
      return response.isBare
        ? bareStatus(request, response.status)
        : statusOf(request, response.status, response.warnings, ports);
    case 'object':
      return objectOf(request, response, ports);
  }
}

async function objectOf(
  request: ApiRequest,
  response: Extract<ApiResponse, { type: 'object' }>,
  ports: WirePorts,
): Promise<WireDocument | WireParts> {
  const accepted = negotiate(accept(request), { ...objects, ...offerOf(request, response) });
  if (accepted.outcome === 'refused') return statusOf(request, accepted.status, response.warnings, ports);
  const toTable = await tableMaker(request, response.printed, { ...accepted.representation, ...ports });
  if (!toTable.ok) return statusOf(request, toTable.status, response.warnings, ports);
  const form = { ...accepted.representation, isCustom: response.printed !== undefined };
  const represented = represent(response.body, form, toTable.value);
  if (!represented.ok) return statusOf(request, represented.status, response.warnings, ports);
  const { code, headers, warnings } = response;
  return encodeResponse(
    request,
    { code, warnings, headers, value: represented.value, mediaType: accepted.mediaType },
    ports,
  );
}

function statusOf(
  request: ApiRequest,
  status: Status,
  warnings: readonly string[],
  ports: WirePorts,
): Promise<WireDocument | WireParts> {
  const accepted = negotiate(accept(request), errors);
  const mediaType = accepted.outcome === 'accepted' ? accepted.mediaType : 'application/json';
  const retryAfter = asObject(status.details)['retryAfterSeconds'];
  const headers = typeof retryAfter === 'number' && retryAfter > 0 ? { 'retry-after': String(retryAfter) } : undefined;
  return encodeResponse(request, { code: status.code, warnings, headers, value: status, mediaType }, ports);
}

/** Without a kind, and with the type that Go detects. Follows apiserver pkg/server/filters/timeout.go. */
function bareStatus(request: ApiRequest, status: Status): Promise<WireDocument> {
  const { kind: _kind, apiVersion: _version, ...bare } = status;
  const headers = { ...ownHeaders(request), 'content-type': 'text/plain; charset=utf-8' };
  return finished(request, status.code, headers, `${writeJson(bare)}\n`);
}

async function watchOf(
  request: ApiRequest,
  response: Extract<ApiResponse, { type: 'watch' }>,
  ports: WirePorts,
): Promise<WireResponse> {
  const { open, printed, warnings = [] } = response;
  const offered = { ...watches, ...offerOf(request, response) };
  const accepted: Negotiated = negotiate(accept(request), offered);
  if (accepted.outcome === 'refused') return statusOf(request, accepted.status, [], ports);
  const toTable = await tableMaker(request, printed, { ...accepted.representation, ...ports });
  if (!toTable.ok) return statusOf(request, toTable.status, [], ports);
  const { mediaType } = accepted;
  const form = { ...accepted.representation, isCustom: printed !== undefined };
  const contentType = mediaType === protobufType ? `${mediaType};stream=watch` : mediaType;
  const isZipped = isWatchList(request) && acceptsGzip(request) && ports.release.isOn('WatchListCompression');
  const plain = {
    ...ownHeaders(request),
    'content-type': contentType,
    ...(warnings.length === 0 ? {} : { warning: warningHeaders(warnings).map(asLatin1) }),
  };
  const headers = isZipped ? gzipHeaders(plain) : plain;
  const encode = await frameEncoder(mediaType, ports.release);
  let isFirst = true;
  const table = (item: JsonObject): JsonObject => {
    const made = toTable.value(item);
    const shown = isFirst ? made : { ...made, columnDefinitions: null };
    isFirst = false;
    return shown;
  };
  const represented = (object: JsonObject): JsonObject => {
    const result = represent(object, form, table);
    return result.ok ? result.value : result.status;
  };
  const frame = ({ type, object }: WatchEvent): WatchFrame =>
    encode({ type, object: type === 'ERROR' ? object : represented(object) });
  return { type: 'watch', headers, open, isZipped, frame: form.as === 'object' ? encode : frame };
}

/** Follows apiserver pkg/endpoints/handlers/get.go isListWatchRequest. */
const isWatchList = ({ query }: ApiRequest): boolean =>
  ['sendInitialEvents', 'allowWatchBookmarks'].every((name) => isTrueParameter(query.get(name)));

type ToTable = (object: JsonObject) => JsonObject;

const noTable: Result<ToTable> = ok((object) => object);

/** Loaded on demand: columns delay the start. */
async function tableMaker(
  { query }: ApiRequest,
  printed: Printed | undefined,
  { as, version, now, release }: Representation & WirePorts,
): Promise<Result<ToTable>> {
  if (as !== 'Table') return noTable;
  const { asTable, readIncludeObject } = await import('./tables/table.ts');
  const includeObject = readIncludeObject(query);
  if (!includeObject.ok) return includeObject;
  const columns = printed?.columns?.();
  return ok((object) => asTable(object, { version, includeObject: includeObject.value, now: now(), columns, release }));
}

async function documentOf(
  request: ApiRequest,
  { code, contentType, body, headers }: Extract<ApiResponse, { type: 'document' }>,
): Promise<WireDocument | WireParts> {
  const all = { ...ownHeaders(request), ...(contentType === '' ? {} : { 'content-type': contentType }), ...headers };
  if (typeof body === 'string' || body instanceof Uint8Array) return finished(request, code, all, Buffer.from(body));
  return { type: 'parts', code, headers: all, parts: Readable.from(body) };
}

/** A Status is never transformed. Follows apiserver pkg/endpoints/handlers/response.go doTransformObject. */
function represent(object: JsonObject, form: Representation & MetadataForm, toTable: ToTable): Result<JsonObject> {
  if (object['kind'] === 'Status' && object['apiVersion'] === 'v1') return ok(object);
  switch (form.as) {
    case 'object':
      return ok(object);
    case 'Table':
      return ok(toTable(object));
    case 'PartialObjectMetadata':
      return asPartialObjectMetadata(object, form);
    case 'PartialObjectMetadataList':
      return asPartialObjectMetadataList(object, form);
  }
}

interface Content {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly headers: Headers | undefined;
  readonly value: JsonObject;
  readonly mediaType: MediaType;
}

async function encodeResponse(
  request: ApiRequest,
  content: Content,
  ports: WirePorts,
): Promise<WireDocument | WireParts> {
  const warnings = content.warnings.length === 0 ? noHeaders : warningHeaders(content.warnings).map(asLatin1);
  const headers = {
    ...ownHeaders(request),
    'content-type': content.mediaType,
    ...content.headers,
    ...(warnings.length === 0 ? {} : { warning: warnings }),
  };
  const how = { ...content, isPretty: wantsPretty(request) };
  if (how.mediaType === 'application/json' && !how.isPretty && isLongList(content.value)) {
    const parts = Readable.from(encodeListInParts(content.value), { highWaterMark: 1 });
    if (!acceptsGzip(request)) return { type: 'parts', code: content.code, headers, parts };
    return {
      type: 'parts',
      code: content.code,
      headers: gzipHeaders(headers),
      parts: parts.pipe(createGzip({ level: 1 })),
    };
  }
  const body = await encodeBody(content.value, how, ports.release);
  if (!body.ok) return statusOf(request, body.status, content.warnings, ports);
  // Node would encode the headers like the text they are joined with; only ASCII survives that.
  const bytes = warnings.length === 0 ? body.value : Buffer.from(body.value);
  return finished(request, content.code, headers, bytes);
}

const noHeaders: string[] = [];

const ownHeaders = (request: ApiRequest): Headers => ({
  'audit-id': request.auditId,
  'cache-control': 'no-cache, private',
});

/** Node writes header text as Latin-1 bytes, Go as UTF-8. */
const asLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
