import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';

/** What the validation of an object needs compiled, one expression at a time. */
export async function beforeValidation(rooms: Rooms, { target }: Exchange, object: KubernetesObject): Promise<void> {
  await rooms.yieldIfLong();
  await held(target, 'target').strategy.compileExpressions?.(object, rooms.yieldIfLong);
}
