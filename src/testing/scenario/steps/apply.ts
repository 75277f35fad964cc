import type { Action } from '../format.ts';
import { locateSent } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';
import { writeQuery } from './write-query.ts';

type Apply = Extract<Action, { readonly type: 'apply' }>;

/** Server-side apply. The body is JSON, which is YAML too. */
export async function apply(action: Apply, { as, dryRun }: StepManner, { world }: StepContext): Promise<StepResult> {
  const { object, fieldManager, force } = action;
  const location = await locateSent(world, action);
  if (location.outcome === 'unknown') return failed('apply', location.problem);
  const query = {
    ...writeQuery(dryRun, { manager: fieldManager, strict: true }),
    ...(force ? { force: 'true' } : {}),
  };
  const contentType = 'application/apply-patch+yaml';
  return answered(
    await world.send({ method: 'PATCH', path: location.path, query, body: object, contentType, ...(as ? { as } : {}) }),
  );
}
