import { createDeadline, noDeadline } from '../../../machinery/meta/deadline.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { withParts, type Exchange, requirePart } from '../exchange.ts';
import { requestDeadline, readWriteOptions } from '../write-options.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { mediaTypeOf, decodeUtf8, unknownFormat } from './decode-body.ts';
import { typeOf } from '../../../machinery/json/body-type.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { tooManyValuesText } from '../../../machinery/json/body-limits.ts';
import {
  badRequest,
  requestEntityTooLarge,
  type Status,
  unsupportedMediaType,
} from '../../../machinery/meta/status.ts';
import { type DecodedDeleteOptions, readQueryDeleteOptions, readDeleteOptionsBody } from '../delete-options.ts';
import { unsafeDeletion } from './load-current.ts';

/** Also sets the deadline for webhooks. */
export const readOptions = (kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'): Stage => ({
  name: 'read-options',
  run: async (exchange) => {
    const isApply = kind === 'PatchOptions' && isApplyPatch(exchange);
    const options = readWriteOptions(exchange.request.query, kind, isApply);
    return options.ok ? ok(withParts(exchange, { options: options.value })) : options;
  },
});

export const isApplyPatch = (exchange: Exchange): boolean =>
  mediaTypeOf(exchange.request.headers['content-type']) === 'application/apply-patch+yaml';

/** Custom resources have one already. */
export const setDeadline = (deps: HandlerDeps, isOneWrite: boolean): Stage => ({
  name: 'set-deadline',
  run: async (exchange) => ok(exchange.deadline === noDeadline ? withDeadline(deps, exchange, isOneWrite) : exchange),
});

/** `isOneWrite` limits the time to 34 s (rule FAIL-41). */
export function withDeadline(
  { maxRequestMs: maxMs }: Pick<HandlerDeps, 'maxRequestMs'>,
  exchange: Exchange,
  isOneWrite: boolean,
): Exchange {
  const { request, journal } = exchange;
  const { at, by } = requestDeadline(request.query, request.receivedAt, { isOneWrite, maxMs });
  return withParts(exchange, { deadline: createDeadline(at, journal.now), deadlineSource: by });
}

export async function readDeleteOptions(deps: HandlerDeps, exchange: Exchange): Promise<Result<DecodedDeleteOptions>> {
  const options = await decodeDeleteOptions(deps, exchange);
  if (!options.ok) return options;
  const { propagationPolicy, orphanDependents } = options.value;
  const warning = requirePart(exchange.target, 'target').strategy.defaultGarbageCollectionWarning;
  const isSet = propagationPolicy !== undefined || orphanDependents !== undefined;
  if (warning !== undefined && !isSet) exchange.journal.warn(warning);
  return options;
}

/** JSON, YAML or protobuf body, else the query. */
async function decodeDeleteOptions(deps: HandlerDeps, exchange: Exchange): Promise<Result<DecodedDeleteOptions>> {
  const { body, headers, query } = exchange.request;
  const unsafe = deps.release.isOn(unsafeDeletion);
  if (body.length === 0) return readQueryDeleteOptions(query, unsafe);
  switch (mediaTypeOf(headers['content-type'])) {
    case '':
    case 'application/json':
      return optionsInJson(deps, decodeUtf8(body));
    case 'application/yaml': {
      const json = await deps.bodies.yamlToJson(decodeUtf8(body));
      return json.ok
        ? optionsInJson(deps, json.text)
        : refuse(unreadable(json.error, `error converting YAML to JSON: ${json.error}`));
    }
    case 'application/vnd.kubernetes.protobuf': {
      const read = await deps.bodies.readProtobuf(body);
      return read.ok ? readDeleteOptionsBody(read.object, unsafe) : refuse(unreadable(read.error));
    }
    default:
      return refuse(unsupportedMediaType(unknownFormat));
  }
}

const unreadable = (error: string, text = error): Status =>
  error === tooManyValuesText ? requestEntityTooLarge(error) : badRequest(text);

/** 400 with the decoder's error. Follows apiserver pkg/endpoints/handlers/delete.go. */
function optionsInJson({ codec, release }: HandlerDeps, text: string): Result<DecodedDeleteOptions> {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') {
    return refuse(badRequest(`couldn't get version/kind; json parse error: ${reading.error}`));
  }
  const { json } = reading;
  const typed = typeOf(json);
  if (typed.outcome === 'untyped') {
    return refuse(badRequest(typed.error));
  }
  if (typed.kind !== '' && typed.kind !== 'DeleteOptions') {
    return refuse(badRequest(noSuchOptions(typed.kind, typed.apiVersion || 'meta.k8s.io/v1')));
  }
  const decoded = codec.decodeType(json.value, 'meta.v1.DeleteOptions', json);
  if (decoded.outcome === 'undecodable') return refuse(badRequest(decoded.error));
  return readDeleteOptionsBody(isJsonObject(decoded.value) ? decoded.value : {}, release.isOn(unsafeDeletion));
}

const noSuchOptions = (kind: string, version: string): string =>
  `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:28"`;
