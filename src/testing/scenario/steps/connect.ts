import type { Action } from '../format.ts';
import { locate } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';

type Connect = Extract<Action, { readonly type: 'connect' }>;

/** A CONNECT as kubectl begins it: POST to exec, attach and portforward, GET to a proxy. */
export async function connect(
  { target, query }: Connect,
  { as }: StepManner,
  { world }: StepContext,
): Promise<StepResult> {
  const location = await locate(world, target);
  if (location.outcome === 'unknown') return failed('connect', location.problem);
  const method = target.subresource === 'proxy' ? 'GET' : 'POST';
  return answered(await world.send({ method, path: location.path, query, ...(as ? { as } : {}) }));
}
