import { ok } from '../../apimachinery/result.ts';
import { definitionResource } from '../../custom/definition.ts';
import { held } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';

/** Who writes a webhook configuration or policy may write CEL, who writes a definition a schema: what reads them is loaded first. */
export const loadConditions = (rooms: Rooms): Stage => ({
  name: 'load-conditions',
  run: (exchange) => {
    switch (held(exchange.target, 'target').resource.group) {
      case 'admissionregistration.k8s.io':
        return rooms.loadConditions().then(() => ok(exchange));
      case definitionResource.group:
        return rooms.loadDefinitions().then(() => ok(exchange));
      default:
        return ok(exchange);
    }
  },
});
