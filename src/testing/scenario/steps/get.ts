import type { Action } from '../format.ts';
import { locate } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';

type Get = Extract<Action, { readonly type: 'get' }>;

/** GET of one object. */
export async function get({ target }: Get, { as }: StepManner, { world }: StepContext): Promise<StepResult> {
  const location = await locate(world, target);
  if (location.outcome === 'unknown') return failed('get', location.problem);
  return answered(await world.send({ method: 'GET', path: location.path, ...(as ? { as } : {}) }));
}
