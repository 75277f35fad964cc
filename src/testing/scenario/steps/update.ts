import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { Action } from '../format.ts';
import type { World, WorldRequest } from '../world.ts';
import { locateSent } from './locate.ts';
import { answered, failed } from './step-result.ts';
import type { StepContext, StepManner, StepResult } from './step-result.ts';

type Update = Extract<Action, { readonly type: 'create' | 'update' }>;

/** PUT of a manifest; one without a resourceVersion replaces whatever is stored. */
export async function update(action: Update, { as, dryRun }: StepManner, { world }: StepContext): Promise<StepResult> {
  const { object, fieldManager } = action;
  const location = await locateSent(world, action);
  if (location.outcome === 'unknown') return failed('update', location.problem);
  const { path } = location;
  const body = await withStoredRevision(object, path, world);
  const query = writeQuery(dryRun, { manager: fieldManager, strict: true });
  return answered(await world.send({ method: 'PUT', path, query, body, ...(as ? { as } : {}) }));
}

/** The manifest with the revision of what is stored, so that the server takes it as a change of that. */
export async function withStoredRevision(object: JsonObject, path: string, world: World): Promise<JsonObject> {
  if (valueAt(object, 'metadata', 'resourceVersion') !== undefined) return object;
  const stored = await world.send({ method: 'GET', path });
  const resourceVersion = asString(valueAt(stored.body, 'metadata', 'resourceVersion'));
  if (stored.code !== 200 || resourceVersion === '') return object;
  return { ...object, metadata: { ...asObject(object['metadata']), resourceVersion } };
}

/** The owner of the fields that a step writes, unless it names another. */
const fieldManager = 'kadmit-test';

/** The query of a write. A manifest is checked strictly, as kubectl does it; a patch as the server does it. */
export const writeQuery = (
  dryRun: boolean,
  { manager = fieldManager, strict }: { readonly manager?: string | undefined; readonly strict: boolean },
): NonNullable<WorldRequest['query']> => ({
  fieldManager: manager,
  ...(strict ? { fieldValidation: 'Strict' } : {}),
  ...(dryRun ? { dryRun: 'All' } : {}),
});
