import type { Action } from '../format.ts';
import { deleteOptions } from './delete.ts';
import { locateCollection } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';

type DeleteCollection = Extract<Action, { readonly type: 'deletecollection' }>;

/** DELETE of the objects of a collection that the selectors choose. */
export async function deleteCollection(
  { target }: DeleteCollection,
  { as, dryRun }: StepManner,
  { world }: StepContext,
): Promise<StepResult> {
  const location = await locateCollection(world, target);
  if (location.outcome === 'unknown') return failed('deletecollection', location.problem);
  const { labelSelector, fieldSelector } = target;
  const query = {
    ...(labelSelector === '' ? {} : { labelSelector }),
    ...(fieldSelector === '' ? {} : { fieldSelector }),
  };
  const body = deleteOptions({}, dryRun);
  return answered(
    await world.send({
      method: 'DELETE',
      path: location.collection,
      query,
      ...(body ? { body } : {}),
      ...(as ? { as } : {}),
    }),
  );
}
