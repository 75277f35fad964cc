import { readJson } from '../../../machinery/json/json-reader.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest } from '../../../machinery/meta/status.ts';
import { type Exchange, withParts } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { readApplyBody } from './apply-configuration.ts';
import { decodeUtf8 } from './decode-body.ts';
import { isApplyPatch } from './read-options.ts';

/**
 * A patch that is no JSON, and an apply that is no YAML, is refused before anything is loaded, since 1.37. Follows
 * apiserver pkg/endpoints/handlers/patch.go validateAndTranscodePatch.
 */
export const checkPatchBody = (deps: HandlerDeps): readonly Stage[] =>
  deps.release.minor < 37
    ? []
    : [
        {
          name: 'check-patch-body',
          run: async (exchange) => parsePatchBody(deps, exchange, decodeUtf8(exchange.request.body)),
        },
      ];

async function parsePatchBody(deps: HandlerDeps, exchange: Exchange, text: string): Promise<Result<Exchange>> {
  if (!isApplyPatch(exchange)) {
    const reading = readJson(text);
    if (reading.outcome === 'unreadable') return refuse(badRequest('invalid JSON patch'));
    return ok(withParts(exchange, { patch: { json: reading.json, duplicates: [] } }));
  }
  const read = await readApplyBody(deps, text);
  if (!read.ok) return refuse(badRequest(`error encoding patch: ${read.error}`));
  return ok(withParts(exchange, { patch: read.body }));
}
