import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { StubRegistry } from '../../stubs/stub-registry.ts';
import type { FailureCode } from '../failure-code.ts';
import type { Counts } from '../expect/object.ts';
import type { StepAction } from '../format.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest, WorldUser } from '../world.ts';
import { locateSent } from './locate.ts';

/** Before comparison with the expectation. */
export type StepResult =
  | { readonly outcome: 'answered'; readonly answer: WorldAnswer }
  /** Nothing to compare. */
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly what: FailureCode; readonly message: string }
  | { readonly outcome: 'left-out'; readonly because: string };

/** `counts`: objects once controllers are idle, where the step expects some. */
export type SettledResult = StepResult & { readonly counts?: Counts };

export interface StepContext {
  readonly world: ScenarioWorld;
  readonly stubRegistry: StubRegistry;
  readonly on: 'kadmit' | 'target';
}

export interface StepManner {
  readonly as: WorldUser | undefined;
  readonly dryRun: boolean;
}

export const answeredStep = (answer: WorldAnswer): StepResult => ({ outcome: 'answered', answer });

export const failedStep = (what: FailureCode, message: string): StepResult => ({ outcome: 'failed', what, message });

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
