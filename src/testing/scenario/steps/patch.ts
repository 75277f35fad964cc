import type { Action } from '../format.ts';
import { locate } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';
import { writeQuery } from './write-query.ts';

type Patch = Extract<Action, { readonly type: 'patch' }>;

const contentTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

/** PATCH of an object or one of its subresources. */
export async function patch(action: Patch, { as, dryRun }: StepManner, { world }: StepContext): Promise<StepResult> {
  const location = await locate(world, action.target);
  if (location.outcome === 'unknown') return failed('patch', location.problem);
  const query = writeQuery(dryRun, { manager: action.fieldManager, strict: false });
  const contentType = contentTypes[action.patchType];
  return answered(
    await world.send({
      method: 'PATCH',
      path: location.path,
      query,
      body: action.patch,
      contentType,
      ...(as ? { as } : {}),
    }),
  );
}
