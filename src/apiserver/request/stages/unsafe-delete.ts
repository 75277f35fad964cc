import { goQuote } from '../../../machinery/meta/field-error.ts';
import { refuse, ok } from '../../../machinery/meta/result.ts';
import { conflict, forbidden, internalError, notFound, type Status } from '../../../machinery/meta/status.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import type { DecodedDeleteOptions } from '../delete-options.ts';
import { withResponse, type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { decodableText } from '../storage-error.ts';
import { keyRefusal, convertStored, storeKeyOf } from './load-current.ts';

export const unsafeDeleteStage = 'unsafe-delete';

/**
 * Removes an object that cannot be decoded, without preconditions, finalizers and admission. Follows apiserver
 * pkg/registry/generic/registry/corrupt_obj_deleter.go.
 */
export const deleteUnsafely = (deps: HandlerDeps, options: DecodedDeleteOptions): Stage => ({
  name: unsafeDeleteStage,
  run: async (exchange) => {
    const refusal = authorizeUnsafeDelete(deps, exchange) ?? (await remove(deps, exchange, options.dryRun.length > 0));
    if (refusal) return refuse(refusal);
    const { resource, info } = requirePart(exchange.target, 'target');
    const details = { name: info.name, kind: resource.storage.kind };
    const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details, code: 200 };
    return ok(withResponse(exchange, 200, body));
  },
});

const permission = 'unsafe-delete-ignore-read-errors';

/** Follows apiserver pkg/endpoints/handlers/delete.go authorizeUnsafeDelete. */
function authorizeUnsafeDelete(deps: HandlerDeps, { target, user }: Exchange): Status | undefined {
  const { info, resource } = requirePart(target, 'target');
  if (resource.group === '' && resource.resource === 'namespaces') return internalError(withoutDeleter);
  const { allowed, reason } = deps.authorize({ ...info, type: 'resource', user, verb: permission });
  if (allowed) return undefined;
  return forbidden(resource, info.name, `not permitted to do ${goQuote(permission)}, reason: ${reason}`);
}

/** Upstream's registry of namespaces has no such deleter. */
const withoutDeleter = 'no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential';

async function remove(deps: HandlerDeps, exchange: Exchange, dryRun: boolean): Promise<Status | undefined> {
  const target = requirePart(exchange.target, 'target');
  const { resource, info } = target;
  const badName = keyRefusal(info.name);
  if (badName) return badName;
  const key = storeKeyOf(target, info.name);
  for (;;) {
    const stored = await deps.storage.read(key);
    if (!stored) return notFound(resource, info.name);
    const view = await convertStored(target, stored.object);
    if (view.ok) return conflict(resource, info.name, decodableText(key, isCustomRow(resource)));
    if (dryRun) return undefined;
    const removed = await deps.storage.remove(key, stored.revision);
    if (removed.outcome === 'stored') return undefined;
  }
}
