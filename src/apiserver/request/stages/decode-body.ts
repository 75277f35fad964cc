import { decodeYamlBytes } from '../../../machinery/go/utf8.ts';
import type { Codec, SentType } from '../../../api/codec/codec.ts';
import { typeOf } from '../../../machinery/json/body-type.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { tooManyValuesText } from '../../../machinery/json/body-limits.ts';
import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import {
  badRequest,
  failure,
  invalid,
  requestEntityTooLarge,
  type Status,
  unsupportedMediaType,
} from '../../../machinery/meta/status.ts';
import { yamlErrorText } from '../../../machinery/yaml/read-yaml.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { decodeAs } from '../decode-as.ts';
import { withParts, type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';

/**
 * Decodes and defaults; fieldValidation decides about unknown and repeated fields. Follows apiserver
 * pkg/endpoints/handlers/create.go and rest.go (rules PATH-3 to PATH-5).
 */
export const decodeBody = (deps: HandlerDeps): Stage => ({
  name: 'decode-body',
  run: async (exchange) => {
    const mediaType = mediaTypeOf(exchange.request.headers['content-type']);
    switch (mediaType) {
      case '':
      case 'application/json':
        return decodeJson(exchange, decodeUtf8(exchange.request.body));
      case 'application/yaml':
        return decodeYaml(deps, exchange);
      case 'application/vnd.kubernetes.protobuf':
        return decodeProtobuf(deps, exchange);
      default:
        return refuse(unsupportedMediaType(unknownFormat));
    }
  },
});

export const unknownFormat =
  'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf';

export function mediaTypeOf(header: string | readonly string[] | undefined): string {
  const text = typeof header === 'string' ? header : (header?.[0] ?? '');
  return (text.split(';')[0] ?? '').trim().toLowerCase();
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Invalid UTF-8 becomes U+FFFD, as in Go. */
export const decodeUtf8 = (bytes: Uint8Array): string => utf8.decode(bytes);

async function decodeYaml(deps: HandlerDeps, exchange: Exchange): Promise<Result<Exchange>> {
  const json = await deps.bodies.yamlToJson(decodeYamlBytes(exchange.request.body));
  if (!json.ok && json.error === tooManyValuesText) return refuse(requestEntityTooLarge(json.error));
  if (!json.ok) return refuse(badRequest(unrecognized(kindOf(exchange), json.error, exchange)));
  return decodeJson(exchange, json.text, json.duplicates.length === 0 ? [] : [yamlErrorText(json.duplicates)]);
}

async function decodeProtobuf(deps: HandlerDeps, exchange: Exchange): Promise<Result<Exchange>> {
  const kind = kindOf(exchange);
  if (isCustomBody(exchange)) {
    const sent = { apiVersion: apiVersionOf(kind), kind: kind.kind };
    return refuse(badRequest(cannotBeHandled(sent, kind, "Object 'Kind' is missing in 'object has no kind field '")));
  }
  const read = await deps.bodies.readProtobuf(exchange.request.body);
  if (!read.ok && read.error === tooManyValuesText) return refuse(requestEntityTooLarge(read.error));
  if (!read.ok) return refuse(badRequest(unrecognized(kind, read.error, exchange)));
  const { object } = read;
  const { codec } = requirePart(exchange.target, 'target');
  const converted = await codec.convert(object, kind);
  if (converted.outcome === 'inconvertible') return refuse(badRequest(cannotBeHandled(object, kind, converted.error)));
  return ok(withParts(exchange, toReceived(codec.applyDefaults(object), codec)));
}

function isCustomBody({ target }: Exchange): boolean {
  const { resource } = requirePart(target, 'target');
  return isCustomRow(resource) && resource.subresource !== 'scale';
}

function decodeJson(exchange: Exchange, text: string, strictErrors: readonly string[] = []): Result<Exchange> {
  const kind = kindOf(exchange);
  const { codec } = requirePart(exchange.target, 'target');
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') {
    return refuse(
      badRequest(unrecognized(kind, `couldn't get version/kind; json parse error: ${reading.error}`, exchange)),
    );
  }
  const { json } = reading;
  const isCustom = isCustomBody(exchange);
  const typed = typeOf(json, isCustom);
  if (typed.outcome === 'untyped') {
    return refuse(badRequest(unrecognized(kind, typed.error, exchange)));
  }
  if (isCustom && typed.kind === '') return refuse(badRequest(withoutKind(exchange, typed)));
  const sent = isCustom ? typed : toServedVersion(fillType(typed, kind), kind);
  const decoded = decodeAs(codec, json, sent, kind);
  if (decoded.outcome === 'undecodable') return refuse(badRequest(cannotBeHandled(sent, kind, decoded.error)));
  const strictRefusal = reportStrict(exchange, [...strictErrors, ...decoded.strict]);
  if (strictRefusal !== undefined) return refuse(badRequest(cannotBeHandled(sent, kind, strictRefusal)));
  return ok(withParts(exchange, toReceived(codec.applyDefaults(decoded.object), codec)));
}

/** The text quotes the body, also YAML. Follows apimachinery pkg/runtime/serializer/json/json.go. */
function withoutKind(exchange: Exchange, typed: SentType): string {
  const kind = kindOf(exchange);
  const error = missingKind(decodeUtf8(exchange.request.body));
  return exchange.options.fieldValidation === 'Ignore'
    ? cannotBeHandled(fillType(typed, kind), kind, error)
    : unrecognized(kind, error, exchange);
}

const fillType = (typed: SentType, kind: GroupVersionKind): SentType => ({
  apiVersion: typed.apiVersion || apiVersionOf(kind),
  kind: typed.kind || kind.kind,
});

/**
 * policy/v1beta1 Evictions are still accepted. Follows kubernetes pkg/registry/core/pod/storage AcceptsGroupVersion.
 */
const toServedVersion = (sent: SentType, kind: GroupVersionKind): SentType =>
  kind.kind === 'Eviction' && sent.kind === kind.kind && sent.apiVersion === 'policy/v1beta1'
    ? { ...sent, apiVersion: apiVersionOf(kind) }
    : sent;

const toReceived = (object: KubernetesObject, codec: Codec): Pick<Exchange, 'object' | 'sent'> => ({
  object,
  sent: codec.printed(object),
});

/** Returns the text of a refusal (Strict); adds warnings (Warn, the default); Ignore drops (rule PATH-4). */
export function reportStrict(exchange: Exchange, strictErrors: readonly string[]): string | undefined {
  if (strictErrors.length === 0 || exchange.options.fieldValidation === 'Ignore') return undefined;
  if (exchange.options.fieldValidation === 'Strict') return `strict decoding error: ${strictErrors.join(', ')}`;
  for (const strictRefusal of strictErrors.flatMap(linesOf)) exchange.journal.warn(strictRefusal);
  return undefined;
}

/** Follows apiserver pkg/endpoints/handlers/rest.go parseYAMLWarnings. */
const linesOf = (strictRefusal: string): readonly string[] =>
  strictRefusal.startsWith('yaml: ')
    ? strictRefusal
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    : [strictRefusal];

const kindOf = (exchange: Exchange): GroupVersionKind => requirePart(exchange.target, 'target').resource.kind;

function cannotBeHandled(
  sent: { readonly apiVersion: string; readonly kind: string },
  kind: GroupVersionKind,
  error: string,
): string {
  const { version } = parseApiVersion(sent.apiVersion);
  return `${sent.kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind.kind}: ${error}`;
}

/** The body's beginning follows the error: printable text, else hex. */
function unrecognized(kind: GroupVersionKind, error: string, { request: { body } }: Exchange): string {
  return `the object provided is unrecognized (must be of type ${kind.kind}): ${error} (${summarizeData(body)})`;
}

/** Follows apiserver pkg/endpoints/handlers/rest.go summarizeData, with its limit of 30 bytes. */
function summarizeData(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  // A leading brace means JSON, shown as text; other bodies in hex.
  if (body[0] === 0x7b) {
    return body.length > 30 ? `${decodeUtf8(body.slice(0, 30))} ...` : decodeUtf8(body);
  }
  const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return body.length > 30 ? `${hex(body.slice(0, 30))} ...` : hex(body);
}

export const objectOf = (exchange: Exchange): KubernetesObject => requirePart(exchange.object, 'object');

export interface PatchInput {
  readonly live: KubernetesObject;
  readonly text: string;
}

/** Ignore skips strict decoding. */
export const isChecked = (exchange: Exchange): boolean => exchange.options.fieldValidation !== 'Ignore';

/** ` "" is invalid: patch: …`: the Status has no kind and no object. */
export const undecodable = (value: string, error: string): Status =>
  invalid({ group: '', kind: '' }, '', [invalidValue('patch', value, error)]);

/** Go's decoding error. */
export const missingKind = (document: string): string => `Object 'Kind' is missing in '${document}'`;

/** The engine's error is not in the response (rule PATH-33). */
export const unappliable: Status = failure({
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
});
