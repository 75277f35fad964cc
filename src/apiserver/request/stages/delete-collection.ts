import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import { withResponse, withParts, type Exchange, requirePart } from '../exchange.ts';
import { type DecodedDeleteOptions, unsafeCollection } from '../delete-options.ts';
import { type DecodedListOptions, readListOptions } from '../list-options.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { revisionTooLarge } from './await-revision.ts';
import { removeOne } from './delete-object.ts';
import { readDeleteOptions } from './read-options.ts';
import { listBody, readSelectedPage } from './list-objects.ts';

/**
 * Deletes one by one, admission sees an empty name; the first refusal stops. Follows apiserver
 * pkg/registry/generic/registry/store.go (rules PATH-50 to PATH-53).
 */
export const deleteCollection = (deps: HandlerDeps): Stage => ({
  name: 'delete-collection',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const options = await readCollectionOptions(deps, exchange);
    if (!options.ok) return options;
    const selection = readListOptions(exchange.request.query, target.resource, false);
    if (!selection.ok) return selection;
    const refusal = checkRevision(deps, selection.value);
    if (refusal) return refuse(refusal);
    const listed = await readSelectedPage(deps, target, selection.value);
    if (!listed.ok) return listed;
    for (const object of listed.value.items) {
      const exhausted = await yieldBetweenItems(deps, exchange);
      if (exhausted) return refuse(exhausted);
      const { name = '', namespace = '' } = object.metadata ?? {};
      const inside = withParts(exchange, { target: { ...target, info: { ...target.info, namespace } } });
      const item = { object: name };
      exchange.journal.item(item);
      const result = await removeOne(deps, inside, { options: options.value, name, admittedName: '', item });
      if (!result.ok && result.status.code !== 404) return result;
    }
    // Lists the objects as found, whatever their deletion did.
    return ok(withResponse(exchange, 200, listBody(target, listed.value)));
  },
});

async function readCollectionOptions(deps: HandlerDeps, exchange: Exchange): Promise<Result<DecodedDeleteOptions>> {
  const options = await readDeleteOptions(deps, exchange);
  return options.ok && options.value.ignoreStoreReadError === true ? refuse(unsafeCollection) : options;
}

/**
 * The storage does not wait for a revision. Follows apiserver pkg/storage/etcd3/store.go
 * validateMinimumResourceVersion.
 */
function checkRevision(deps: HandlerDeps, { resourceVersion = '0' }: DecodedListOptions): Status | undefined {
  const current = deps.cluster.revision();
  if (Number(resourceVersion) <= current) return undefined;
  const { details, ...status } = revisionTooLarge(resourceVersion, current);
  return { ...status, details: { causes: details?.causes ?? [] } };
}

/** A Status when memory runs out. */
async function yieldBetweenItems({ yieldIfLong }: HandlerDeps, { request }: Exchange): Promise<Status | undefined> {
  await yieldIfLong();
  return request.exhaustion?.();
}
