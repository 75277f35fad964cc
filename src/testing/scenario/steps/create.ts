import type { Action } from '../format.ts';
import { locateSent } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';
import { writeQuery } from './write-query.ts';

type Create = Extract<Action, { readonly type: 'create' | 'update' }>;

/** POST of a manifest to its collection, or to a subresource of its object (an Eviction, a Binding, a TokenRequest). */
export async function create(action: Create, { as, dryRun }: StepManner, { world }: StepContext): Promise<StepResult> {
  const { object, subresource, target, fieldManager } = action;
  const location = await locateSent(world, action);
  if (location.outcome === 'unknown') return failed('create', location.problem);
  const path = subresource === undefined && target === undefined ? location.collection : location.path;
  const query = writeQuery(dryRun, { manager: fieldManager, strict: true });
  return answered(await world.send({ method: 'POST', path, query, body: object, ...(as ? { as } : {}) }));
}
