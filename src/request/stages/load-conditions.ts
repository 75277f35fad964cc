import { ok } from '../../apimachinery/result.ts';
import { held } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';

/** Who writes a webhook configuration or policy may write CEL: the engine is loaded before it is looked at. */
export const loadConditions = (rooms: Rooms): Stage => ({
  name: 'load-conditions',
  run: (exchange) => {
    if (held(exchange.target, 'target').resource.group !== 'admissionregistration.k8s.io') return ok(exchange);
    return rooms.loadConditions().then(() => ok(exchange));
  },
});
