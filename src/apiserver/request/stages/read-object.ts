import { ok, refuse } from '../../../machinery/meta/result.ts';
import { notFound } from '../../../machinery/meta/status.ts';
import { answered, held } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { notAsNew } from './await-revision.ts';
import { readCurrent } from './load-current.ts';

export const readObject = (rooms: Rooms): Stage => ({
  name: 'read-object',
  run: async (exchange) => {
    const target = held(exchange.target, 'target');
    const refusal = await notAsNew(rooms, exchange.request);
    if (refusal) return refuse(refusal);
    const current = await readCurrent(rooms, target);
    if (!current.ok) return current;
    if (current.value === null) return refuse(notFound(target.resource, target.info.name));
    return ok(answered(exchange, 200, current.value.view));
  },
});
