import { ok } from '../../../machinery/meta/result.ts';
import type { Exchange } from '../exchange.ts';
import { changed, held } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';
import { isApplyPatch } from './read-options.ts';

/** Runs before admission: changes of webhooks have no owner (rule MUT-40). */
export const trackManagedFields = (rooms: Rooms): Stage => ({
  name: 'track-managed-fields',
  run: async (exchange) => {
    if (isApplyPatch(exchange)) return ok(exchange); // The apply itself has recorded them.
    const { fields, resource } = held(exchange.target, 'target');
    const object = await fields.update({
      live: exchange.current?.view ?? null,
      object: objectOf(exchange),
      manager: managerOf(exchange),
      subresource: resource.subresource,
      now: rooms.clock.now(),
    });
    return ok(changed(exchange, { object }));
  },
});

/**
 * `fieldManager`, else the first word of the User-Agent. Follows apiserver pkg/endpoints/handlers/create.go
 * managerOrUserAgent.
 */
export function managerOf({ options, request }: Exchange): string {
  if (options.fieldManager !== '') return options.fieldManager;
  const agent = request.headers['user-agent'];
  const text = typeof agent === 'string' ? agent : '';
  return (text.split('/')[0] ?? '').replaceAll(unprintable, '').slice(0, 128);
}

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
