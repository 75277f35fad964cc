import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import type { ScenarioStep, StepAction } from '../format.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest } from '../world.ts';
import { locate, locateManifest, type StepLocation } from './locate.ts';
import type { FailureCode } from '../outcome.ts';

/** Before comparison with the expectation. */
export type StepResult =
  | { readonly outcome: 'answered'; readonly answer: WorldAnswer }
  /** Nothing to compare. */
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly what: FailureCode; readonly message: string }
  | { readonly outcome: 'left-out'; readonly because: string };

export const failedStep = (what: FailureCode, message: string): StepResult => ({ outcome: 'failed', what, message });

/** An action that is one request. */
type RequestAction = Exclude<StepAction, { readonly type: 'wait' | 'advance' | 'configure' }>;

export async function sendStep(
  action: RequestAction,
  { as, dryRun }: Pick<ScenarioStep, 'as' | 'dryRun'>,
  world: ScenarioWorld,
): Promise<StepResult> {
  const location = await locateAction(action, world);
  if (location.outcome === 'unknown') return failedStep(action.type, location.problem);
  const sending = { location, dryRun, world };
  const request = 'object' in action ? await manifestRequest(action, sending) : targetRequest(action, sending);
  return { outcome: 'answered', answer: await world.send({ ...request, as }) };
}

function locateAction(action: RequestAction, world: ScenarioWorld): Promise<StepLocation> {
  if (action.type === 'deletecollection') return locate(world, { ...action.target, subresource: '', name: '' });
  if (!('object' in action)) return locate(world, action.target);
  return action.target ? locate(world, action.target) : locateManifest(world, action.object, action.subresource);
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

interface RequestContext {
  readonly location: Extract<StepLocation, { outcome: 'found' }>;
  readonly dryRun: boolean;
  readonly world: ScenarioWorld;
}

type PlainRequest = Omit<WorldRequest, 'as'>;
type ManifestAction = Extract<RequestAction, { readonly object: JsonObject }>;

async function manifestRequest(
  action: ManifestAction,
  { location: { path, collection }, dryRun, world }: RequestContext,
): Promise<PlainRequest> {
  const { object, subresource, target } = action;
  const query = manifestQuery(action, dryRun);
  switch (action.type) {
    case 'create': {
      // Eviction, Binding and TokenRequest are posted to a subresource.
      const isNew = subresource === undefined && target === undefined;
      return { method: 'POST', path: isNew ? collection : path, query, body: object };
    }
    case 'update':
      return { method: 'PUT', path, query, body: await withStoredRevision(object, path, world) };
    case 'apply': {
      // The body is JSON, which is valid YAML.
      const contentType = 'application/apply-patch+yaml';
      return {
        method: 'PATCH',
        path,
        query: { ...query, ...(action.force ? { force: 'true' } : {}) },
        body: object,
        contentType,
      };
    }
  }
}

function targetRequest(
  action: Exclude<RequestAction, ManifestAction>,
  { location: { path, collection }, dryRun }: RequestContext,
): PlainRequest {
  switch (action.type) {
    case 'patch':
      return {
        method: 'PATCH',
        path,
        // Patches have the server's default validation.
        query: { fieldManager: action.fieldManager ?? defaultManager, ...(dryRun ? { dryRun: 'All' } : {}) },
        body: action.patch,
        contentType: patchTypes[action.patchType],
      };
    case 'delete':
      return { method: 'DELETE', path, body: deleteOptions(action.options, dryRun) };
    case 'deletecollection': {
      const { labelSelector, fieldSelector } = action.target;
      const query = {
        ...(labelSelector === '' ? {} : { labelSelector }),
        ...(fieldSelector === '' ? {} : { fieldSelector }),
      };
      return { method: 'DELETE', path: collection, query, body: deleteOptions({}, dryRun) };
    }
    case 'connect':
      // As kubectl does: POST to exec, attach and portforward, GET to a proxy.
      return { method: action.target.subresource === 'proxy' ? 'GET' : 'POST', path, query: action.query };
    case 'get':
      return { method: 'GET', path };
  }
}

/** Without a resourceVersion an update replaces the stored object: adds the stored one, unless the manifest has one. */
export async function withStoredRevision(object: JsonObject, path: string, world: ScenarioWorld): Promise<JsonObject> {
  if (valueAt(object, 'metadata', 'resourceVersion') !== undefined) return object;
  const stored = await world.send({ method: 'GET', path });
  const resourceVersion = asString(valueAt(stored.body, 'metadata', 'resourceVersion'));
  if (stored.code !== 200 || resourceVersion === '') return object;
  return { ...object, metadata: { ...asObject(object['metadata']), resourceVersion } };
}

type Query = NonNullable<WorldRequest['query']>;

const defaultManager = 'kadmit-test';

/** Strict validation, as kubectl requests it. */
const manifestQuery = (
  { fieldManager = defaultManager }: { readonly fieldManager?: string | undefined },
  dryRun: boolean,
): Query => ({
  fieldManager,
  fieldValidation: 'Strict',
  ...(dryRun ? { dryRun: 'All' } : {}),
});
/** A server ignores options in the query when there is a body. */
function deleteOptions(options: JsonObject, dryRun: boolean): JsonObject | undefined {
  if (Object.keys(options).length === 0 && !dryRun) return undefined;
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...options, ...(dryRun ? { dryRun: ['All'] } : {}) };
}
