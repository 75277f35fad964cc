import { decodeRestored } from '../../../api/codec/patch/decode-restored.ts';
import { getPatchSchemas } from '../../../api/codec/patch/patch-schema.ts';
import { decodeStrategicPatch, type MergeFault } from '../../../api/codec/patch/strategic-merge-fault.ts';
import { applyStrategicMerge } from '../../../api/codec/patch/strategic-merge.ts';
import { compareTexts } from '../../../machinery/go/strings.ts';
import { goPrint, goTypeOf } from '../../../machinery/go/go-print.ts';
import { typeOf } from '../../../machinery/json/body-type.ts';
import { writeJsonForGo } from '../../../machinery/json/json-writer.ts';
import { isJsonObject, type JsonDocument } from '../../../machinery/json/json.ts';
import { type KubernetesObject, mapFields } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import {
  badRequest,
  failure,
  plainError,
  requestEntityTooLarge,
  type Status,
  unsupportedMediaType,
} from '../../../machinery/meta/status.ts';
import { decodeClientPatch, maximumClientOperations } from '../../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../../machinery/patch/json-patch.ts';
import { applyMergePatch, decodeMergePatch } from '../../../machinery/patch/merge-patch.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { decodeAs, typeMetaOf } from '../decode-as.ts';
import { withParts, type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { applyServerSide } from './apply-configuration.ts';
import { undeterminableName } from './check-identity.ts';
import {
  decodeUtf8,
  isChecked,
  mediaTypeOf,
  missingKind,
  type PatchInput,
  reportStrict,
  unappliable,
  undecodable,
} from './decode-body.ts';
import { isApplyPatch } from './read-options.ts';

/**
 * A failed merge is mostly 500 with the bare text, an undecodable result 422. Follows apiserver
 * pkg/endpoints/handlers/patch.go smpPatcher.
 */
function mergeStrategically(exchange: Exchange, { live, text }: PatchInput): Result<Exchange> {
  const { codec, resource } = requirePart(exchange.target, 'target');
  const { kind } = resource;
  const name = codec.types.typeOfKind(kind);
  const schema = name === undefined ? undefined : getPatchSchemas(codec.types)(name);
  if (!schema || name === undefined || isCustomRow(resource))
    return refuse(unsupportedMediaType(notForCustomResources));
  const patch = decodeStrategicPatch(text);
  if (patch.outcome === 'undecodable') return refuse(badRequest(patch.error));
  const merged = applyStrategicMerge(live, patch.patch, schema);
  if (merged.outcome === 'panicked') return refuse(panicked);
  if (merged.outcome === 'failed') return refuse(statusOf(merged));
  const refused = (error: string): Result<Exchange> => refuse(undecodable(goPrint(patch.patch), error));
  const stated = typeFault(merged.document);
  if (stated !== undefined) return refused(stated);
  const typed = restoreType(live, merged.document);
  const decoded = decodeRestored(codec, typed, kind);
  if (decoded.outcome === 'undecodable') return refused(decoded.error);
  const strictRefusal = reportStrict(exchange, [...patch.strict, ...decoded.strict.toSorted(compareTexts)]);
  if (strictRefusal !== undefined) return refused(strictRefusal);
  return ok(withParts(exchange, { object: codec.applyDefaults(decoded.object) }));
}

function restoreType({ kind, apiVersion }: KubernetesObject, document: Fields): Fields {
  const missing = ['kind', 'apiVersion'].filter((name) => !Object.hasOwn(document, name));
  return mapFields([...Object.keys(document), ...missing], (name) => {
    if (name === 'kind') return kind;
    return name === 'apiVersion' ? apiVersion : document[name];
  });
}

interface Fields {
  readonly [field: string]: JsonDocument | undefined;
}

/** Patched kind and apiVersion are ignored but must be text. Follows apimachinery pkg/runtime/converter.go. */
function typeFault({ kind, apiVersion }: Fields): string | undefined {
  const [odd] = [kind, apiVersion].filter(
    (value) => value !== undefined && value !== null && typeof value !== 'string',
  );
  if (odd === undefined || odd === null) return undefined;
  return goTypeOf(odd) === 'int64' ? 'cannot convert int64 to string' : 'unrecognized type: string';
}

/** Follows interpretStrategicMergePatchError. */
function statusOf({ code, error }: Extract<MergeFault, { readonly outcome: 'failed' }>): Status {
  if (code === 422) return unappliable;
  return code === 400 ? badRequest(error) : plainError(error);
}

/** Upstream panics and responds in plain text (rule FAIL-31). */
const panicked = plainError('This request caused apiserver to panic. Look in the logs for details.');

/** The patch types of custom resources. */
const notForCustomResources =
  'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';

/**
 * Go's patch engines sort the keys of patched objects and keep others; custom resources (`live` null) are sorted
 * throughout. Follows gopkg.in/evanphx/json-patch.v4 merge.go and patch.go.
 */
const patchedText = (document: JsonDocument, live: JsonDocument): string =>
  writeJsonForGo(sortTouchedKeys(document, live));

function sortTouchedKeys(document: JsonDocument | undefined, live: JsonDocument | undefined): JsonDocument {
  if (document === undefined) return null;
  if (document === live || typeof document !== 'object' || document === null) return document;
  if (Array.isArray(document)) {
    const before = Array.isArray(live) ? live : [];
    const elements: readonly JsonDocument[] = document;
    return elements.map((element, index) => sortTouchedKeys(element, before[index]));
  }
  if (!isJsonObject(document)) return document;
  const before = isJsonObject(live) ? live : {};
  return mapFields(Object.keys(document).toSorted(), (field) => sortTouchedKeys(document[field], before[field]));
}

/**
 * The result is decoded and defaulted like a whole body. Follows apiserver pkg/endpoints/handlers/patch.go (rules
 * PATH-30 to PATH-34).
 */
export const applyPatch = (deps: HandlerDeps): Stage => ({
  name: 'apply-patch',
  run: async (exchange) => {
    if (isApplyPatch(exchange)) return applyServerSide(deps, exchange);
    const live = requirePart(exchange.current, 'current object').view;
    const text = decodeUtf8(exchange.request.body);
    switch (mediaTypeOf(exchange.request.headers['content-type'])) {
      case 'application/json-patch+json':
        return applyJsonPatchBody(exchange, { live, text });
      case 'application/merge-patch+json':
        return applyMergePatchBody(exchange, { live, text });
      default:
        return mergeStrategically(exchange, { live, text });
    }
  },
});

const strategicMerge = 'application/strategic-merge-patch+json';
const patchTypes = new Set([
  'application/json-patch+json',
  'application/merge-patch+json',
  strategicMerge,
  'application/apply-patch+yaml',
]);

export const checkPatchType: Stage = {
  name: 'check-patch-type',
  run: async (exchange) => {
    const sent = mediaTypeOf(exchange.request.headers['content-type']);
    const isCustom = isCustomRow(requirePart(exchange.target, 'target').resource);
    if (patchTypes.has(sent) && !(isCustom && sent === strategicMerge)) return ok(exchange);
    return refuse(isCustom ? unsupportedMediaType(notForCustomResources) : wrongPatchType);
  },
};

const wrongPatchType: Status = failure({
  code: 415,
  reason: 'UnsupportedMediaType',
  message: '415: Unsupported Media Type',
  details: {},
});

function applyJsonPatchBody(exchange: Exchange, { live, text }: PatchInput): Result<Exchange> {
  const decoded = decodeClientPatch(text, isChecked(exchange));
  if (decoded.outcome === 'undecodable') return refuse(badRequest(decoded.error));
  const count = decoded.patch.operations.length;
  if (count > maximumClientOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${maximumClientOperations}, got ${count}`;
    return refuse(requestEntityTooLarge(message));
  }
  const patched = applyJsonPatch(live, decoded.patch);
  if (patched.outcome !== 'patched') return refuse(unappliable);
  return decodePatched(exchange, { document: patched.document, live, strict: decoded.strict });
}

function applyMergePatchBody(exchange: Exchange, { live, text }: PatchInput): Result<Exchange> {
  const decoded = decodeMergePatch(text, isChecked(exchange));
  if (decoded.outcome === 'undecodable') return refuse(badRequest(decoded.error));
  const document = applyMergePatch(live, decoded.patch);
  return decodePatched(exchange, { document, live, strict: decoded.strict });
}

/**
 * Go decodes its in-memory object, whose fields have no JSON names. Follows apimachinery
 * pkg/runtime/serializer/json/json.go.
 */
function refuseVersionless(
  exchange: Exchange,
  document: { readonly [field: string]: JsonDocument | undefined },
  { live, strict }: Pick<Patched, 'live' | 'strict'>,
): Result<Exchange> {
  const fields = Object.keys(document).filter((field) => field !== 'apiVersion' && field !== 'kind');
  const unknown = fields.toSorted().map((field) => `unknown field "${field}"`);
  const strictRefusal = reportStrict(exchange, [...strict, ...unknown]);
  if (strictRefusal !== undefined) return refuse(undecodable(patchedText(document, live), strictRefusal));
  return refuse(badRequest(undeterminableName(requirePart(exchange.target, 'target').info.name)));
}

/** A custom resource must keep its own kind. */
function typeProblem(document: JsonDocument, isCustom: boolean): string | undefined {
  const typed = typeOf({ value: document }, isCustom);
  if (typed.outcome === 'untyped') return typed.error;
  return isCustom && typed.kind === '' ? missingKind(patchedText(document, null)) : undefined;
}

interface Patched {
  readonly document: JsonDocument;
  readonly live: KubernetesObject;
  readonly strict: readonly string[];
}

function decodePatched(exchange: Exchange, { document, live, strict }: Patched): Result<Exchange> {
  const { codec, resource } = requirePart(exchange.target, 'target');
  const { kind } = resource;
  if (!isCustomRow(resource) && isJsonObject(document) && !document['apiVersion']) {
    return refuseVersionless(exchange, document, { live, strict });
  }
  const isCustom = isCustomRow(resource) && resource.subresource !== 'scale';
  const before = isCustom ? null : live;
  const refused = (error: string): Result<Exchange> => refuse(undecodable(patchedText(document, before), error));
  const untyped = typeProblem(document, isCustom);
  if (untyped !== undefined) return refused(untyped);
  const decoded = decodeAs(codec, document, typeMetaOf(document, kind), kind);
  if (decoded.outcome === 'undecodable') return refused(decoded.error);
  const strictRefusal = reportStrict(exchange, [...strict, ...decoded.strict]);
  if (strictRefusal !== undefined) return refused(strictRefusal);
  const defaulted = codec.applyDefaults(decoded.object);
  const isBare = isCustom && isJsonObject(document) && !document['apiVersion'];
  const object = isBare ? { ...defaulted, apiVersion: '' } : defaulted;
  return ok(withParts(exchange, { object }));
}
