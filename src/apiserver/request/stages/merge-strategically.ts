import { mapFields } from '../../../machinery/meta/map-fields.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { compareTexts } from '../../../machinery/go/compare-texts.ts';
import { isCustomRow } from '../../custom-resources/custom-row.ts';
import { goPrint, goTypeOf } from '../../../machinery/go/go-print.ts';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { badRequest, plainError, unsupportedMediaType } from '../../../machinery/meta/status.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { patchSchemasOf } from '../../../api/codec/patch/patch-schema.ts';
import type { MergeFault } from '../../../api/codec/patch/strategic-merge-fault.ts';
import { applyStrategicMerge } from '../../../api/codec/patch/strategic-merge.ts';
import { decodeStrategicPatch } from '../../../api/codec/patch/strategic-patch.ts';
import { decodeRestored } from '../../../api/codec/patch/decode-restored.ts';
import { changed, held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import { reportStrict } from './decode-body.ts';
import { unappliable, undecodable } from './patch-input.ts';
import type { PatchInput } from './patch-input.ts';

/**
 * A strategic merge patch on the stored object. A merge that fails is mostly 500 with the bare text, a result that cannot
 * be decoded is 422. Follows apiserver pkg/endpoints/handlers/patch.go smpPatcher.
 */
export function mergeStrategically(exchange: Exchange, { live, text }: PatchInput): Result<Exchange> {
  const { codec, resource } = held(exchange.target, 'target');
  const { kind } = resource;
  const name = codec.types.typeOfKind(kind);
  const schema = name === undefined ? undefined : patchSchemasOf(codec.types)(name);
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
  const typed = typedAs(live, merged.document);
  const decoded = decodeRestored(codec, typed, kind);
  if (decoded.outcome === 'undecodable') return refused(decoded.error);
  const complaint = reportStrict(exchange, [...patch.strict, ...decoded.strict.toSorted(compareTexts)]);
  if (complaint !== undefined) return refused(complaint);
  return ok(changed(exchange, { object: codec.applyDefaults(decoded.object) }));
}

function typedAs({ kind, apiVersion }: KubernetesObject, document: Fields): Fields {
  const missing = ['kind', 'apiVersion'].filter((name) => !Object.hasOwn(document, name));
  return mapFields([...Object.keys(document), ...missing], (name) => {
    if (name === 'kind') return kind;
    return name === 'apiVersion' ? apiVersion : document[name];
  });
}

interface Fields {
  readonly [field: string]: JsonDocument | undefined;
}

/** What a patch makes of kind and apiVersion counts for nothing, but must be text. Follows apimachinery pkg/runtime/converter.go. */
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

/** Upstream's handler dies here and answers in plain text; a Status says as much (rule FAIL-31). */
const panicked = plainError('This request caused apiserver to panic. Look in the logs for details.');

/** What a PATCH of a custom resource may be. */
export const notForCustomResources =
  'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
