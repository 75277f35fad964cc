import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Action } from '../format.ts';
import { locate } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';

type Delete = Extract<Action, { readonly type: 'delete' }>;

/** DELETE of one object, with DeleteOptions when there are any. */
export async function deleteObject(
  { target, options }: Delete,
  { as, dryRun }: StepManner,
  { world }: StepContext,
): Promise<StepResult> {
  const location = await locate(world, target);
  if (location.outcome === 'unknown') return failed('delete', location.problem);
  const body = deleteOptions(options, dryRun);
  return answered(
    await world.send({ method: 'DELETE', path: location.path, ...(body ? { body } : {}), ...(as ? { as } : {}) }),
  );
}

/** The body of a DELETE; options in the query are not read when there is one. */
export function deleteOptions(options: JsonObject, dryRun: boolean): JsonObject | undefined {
  if (Object.keys(options).length === 0 && !dryRun) return undefined;
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...options, ...(dryRun ? { dryRun: ['All'] } : {}) };
}
