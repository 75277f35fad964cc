import { goPrint } from '../../apimachinery/go-print.ts';
import { isJsonObject } from '../../apimachinery/json.ts';
import type { JsonDocument } from '../../apimachinery/json.ts';
import { readJson } from '../../apimachinery/json-reader.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { badRequest, plainError, unsupportedMediaType } from '../../apimachinery/status.ts';
import { typeOfKind } from '../../schema/builtin-types.ts';
import { patchSchemaOf } from '../../schema/patch-schema.ts';
import { applyStrategicMerge } from '../../schema/strategic-merge.ts';
import { held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import { jsonWord, reportStrict } from './decode-body.ts';
import { undecodable } from './patch-input.ts';
import type { PatchInput } from './patch-input.ts';

/**
 * A strategic merge patch on the stored object. A merge that fails is 500 with the bare text, a result that cannot be
 * decoded is 422. Follows apiserver pkg/endpoints/handlers/patch.go smpPatcher (spec/kubectl.md sections 7.4 and 14).
 */
export function mergeStrategically(rooms: Rooms, exchange: Exchange, { live, text }: PatchInput): Result<Exchange> {
  const { kind } = held(exchange.target, 'target').resource;
  const name = typeOfKind(kind);
  const schema = name === undefined ? undefined : patchSchemaOf(name);
  if (!schema) return refuse(unsupportedMediaType(notForCustomResources));
  const patch = readPatch(text);
  if (!patch.ok) return patch;
  const merged = applyStrategicMerge(live, patch.value.fields, schema);
  if (merged.outcome === 'panicked') return refuse(panicked);
  if (merged.outcome === 'failed') return refuse(plainError(merged.error));
  const decoded = rooms.codec.decodeValue({ ...merged.document, kind: live.kind, apiVersion: live.apiVersion }, kind);
  if (decoded.outcome === 'undecodable') return refuse(undecodable(goPrint(patch.value.fields), decoded.error));
  const complaint = reportStrict(exchange, [...patch.value.strict, ...decoded.strict]);
  if (complaint !== undefined) return refuse(undecodable(goPrint(patch.value.fields), complaint));
  return ok({ ...exchange, object: rooms.codec.applyDefaults(decoded.object) });
}

/** Upstream's handler dies here and answers in plain text; a Status says as much (rule FAIL-31). */
const panicked = plainError('This request caused apiserver to panic. Look in the logs for details.');

const notForCustomResources =
  'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';

interface StrategicPatch {
  readonly fields: { readonly [field: string]: JsonDocument | undefined };
  readonly strict: readonly string[];
}

/** The patch as an object; `null` patches nothing. */
function readPatch(text: string): Result<StrategicPatch> {
  const reading = readJson(text);
  if (reading.outcome === 'unreadable') return refuse(badRequest(reading.error));
  const { value, hasDuplicates, keys } = reading.json;
  if (value === null) return ok({ fields: {}, strict: [] });
  if (!isJsonObject(value)) {
    return refuse(
      badRequest(`json: cannot unmarshal ${jsonWord(value)} into Go value of type map[string]interface {}`),
    );
  }
  const duplicates = hasDuplicates ? keys().filter(({ duplicate }) => duplicate) : [];
  return ok({ fields: value, strict: duplicates.map(({ path }) => `duplicate field "${path}"`) });
}
