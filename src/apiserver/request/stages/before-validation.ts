import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';

/** Validation is one phase of a request; the expressions that it needs are compiled before. */
export async function beforeValidation(
  rooms: Rooms,
  { target }: Exchange,
  { object, oldObject }: { readonly object: KubernetesObject; readonly oldObject?: KubernetesObject },
): Promise<void> {
  await rooms.yieldIfLong();
  await held(target, 'target').strategy.compileExpressions?.(object, oldObject, rooms.yieldIfLong);
}
