import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';

/** Compiles the expressions that synchronous validation needs. */
export async function beforeValidation(
  rooms: Rooms,
  { target }: Exchange,
  { object, oldObject }: { readonly object: KubernetesObject; readonly oldObject?: KubernetesObject },
): Promise<void> {
  await rooms.yieldIfLong();
  await held(target, 'target').strategy.compileExpressions?.(object, oldObject, rooms.yieldIfLong);
}
