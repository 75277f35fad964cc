import { decodePatch } from '../../../machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../../machinery/patch/json-patch.ts';
import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonDocument, JsonObject } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { applyMergePatch } from '../../../machinery/patch/merge-patch.ts';
import { isConfiguration } from '../known-webhooks.ts';
import type { WorldRequest } from '../world.ts';

/**
 * What a patch makes of a webhook configuration, as the scenario knows it: on the server its addresses are those of
 * stubs. Undefined for another kind of patch, or one that does not apply: the server will say so itself.
 */
export function patchedConfiguration(
  configuration: JsonObject,
  { body, contentType }: WorldRequest,
): JsonObject | undefined {
  if (body === undefined) return undefined;
  if (contentType === 'application/json-patch+json') return asConfiguration(withJsonPatch(configuration, body));
  if (contentType !== 'application/merge-patch+json' || !isJsonObject(body)) return undefined;
  return asConfiguration(applyMergePatch(configuration, body));
}

function withJsonPatch(configuration: JsonObject, body: NonNullable<WorldRequest['body']>): JsonDocument | undefined {
  const decoded = decodePatch(writeJson(body));
  if (decoded.outcome !== 'decoded') return undefined;
  const outcome = applyJsonPatch(configuration, decoded.patch);
  return outcome.outcome === 'patched' ? outcome.document : undefined;
}

/** Through text: a patch may hold numbers in a spelling of their own. */
function asConfiguration(document: JsonDocument | undefined): JsonObject | undefined {
  if (document === undefined) return undefined;
  const value: unknown = JSON.parse(writeJson(document));
  return isJsonObject(value) && isConfiguration(value) ? value : undefined;
}
