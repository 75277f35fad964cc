import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { parseUint64 } from '../../../machinery/go/parse-integer.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import { conflict, invalid, plainError } from '../../../machinery/meta/status.ts';
import { isCustomRow } from '../../custom-resources/custom-codec.ts';
import { storagePreconditionFailure } from '../storage-error.ts';
import { changed, held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { isDryRun } from '../write-options.ts';
import { objectOf } from './decode-body.ts';

/**
 * A revision in the body must be current; some resources require one (rules PATH-20, PATH-22). Follows apiserver
 * pkg/registry/generic/registry/store.go.
 */
export const checkResourceVersion = ({ release }: Pick<Rooms, 'release'>): Stage => ({
  name: 'check-resource-version',
  run: async (exchange) => {
    if (!exchange.current) return ok(exchange);
    const { resource, info, strategy } = held(exchange.target, 'target');
    const object = objectOf(exchange);
    const sent = metadataOf(object).resourceVersion ?? '';
    const revision = sent === '' ? undefined : parseUint64(sent);
    if (revision?.outcome === 'unparsable') return refuse(plainError(revision.error));
    if (!revision || revision.value === 0) {
      if (strategy.allowUnconditionalUpdate) return ok(atCurrentVersion(exchange));
      const error = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update');
      const said = release.inWords([error], { ...resource, isCustom: isCustomRow(resource) });
      return refuse(invalid({ group: resource.group, kind: resource.resource }, info.name, said));
    }
    if (revision.value === exchange.current.revision) return ok(exchange);
    return refuse(
      conflict(
        resource,
        info.name,
        'the object has been modified; please apply your changes to the latest version and try again',
      ),
    );
  },
});

/** Runs before admission. */
export const checkUid: Stage = {
  name: 'check-uid',
  run: async (exchange) => {
    const { uid = '' } = metadataOf(objectOf(exchange));
    if (uid === '') return ok(exchange);
    const target = held(exchange.target, 'target');
    const stored = exchange.current?.object.metadata ?? {};
    const write = { name: target.info.name, dryRun: isDryRun(exchange.options) };
    const refusal = storagePreconditionFailure(target, stored, { uid }, write);
    return refusal ? refuse(refusal) : ok(exchange);
  },
};

/** Without a revision the update applies to any. */
function atCurrentVersion(exchange: Exchange): Exchange {
  const { resourceVersion } = metadataOf(held(exchange.current, 'current object').object);
  return changed(exchange, { object: withMetadata(objectOf(exchange), { resourceVersion }) });
}
