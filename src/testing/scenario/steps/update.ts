import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { StepAction } from '../format.ts';
import type { ScenarioWorld, WorldRequest } from '../world.ts';
import { locateSent } from './locate.ts';
import { answeredStep, failedStep, type StepContext, type StepManner, type StepResult } from './step-result.ts';

type Update = Extract<StepAction, { readonly type: 'create' | 'update' }>;

/** Without a resourceVersion it replaces the stored object. */
export async function update(action: Update, { as, dryRun }: StepManner, { world }: StepContext): Promise<StepResult> {
  const { object, fieldManager } = action;
  const location = await locateSent(world, action);
  if (location.outcome === 'unknown') return failedStep('update', location.problem);
  const { path } = location;
  const body = await withStoredRevision(object, path, world);
  const query = writeQuery(dryRun, { manager: fieldManager, strict: true });
  return answeredStep(await world.send({ method: 'PUT', path, query, body, ...(as ? { as } : {}) }));
}

/** Adds the stored resourceVersion, unless the manifest has one. */
export async function withStoredRevision(object: JsonObject, path: string, world: ScenarioWorld): Promise<JsonObject> {
  if (valueAt(object, 'metadata', 'resourceVersion') !== undefined) return object;
  const stored = await world.send({ method: 'GET', path });
  const resourceVersion = asString(valueAt(stored.body, 'metadata', 'resourceVersion'));
  if (stored.code !== 200 || resourceVersion === '') return object;
  return { ...object, metadata: { ...asObject(object['metadata']), resourceVersion } };
}

/** Default field manager of a step. */
const fieldManager = 'kadmit-test';

/** Manifests use strict validation, like kubectl; patches the server's default. */
export const writeQuery = (
  dryRun: boolean,
  { manager = fieldManager, strict }: { readonly manager?: string | undefined; readonly strict: boolean },
): NonNullable<WorldRequest['query']> => ({
  fieldManager: manager,
  ...(strict ? { fieldValidation: 'Strict' } : {}),
  ...(dryRun ? { dryRun: 'All' } : {}),
});
