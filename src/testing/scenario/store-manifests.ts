import { asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { withoutServerMetadata } from '../../machinery/meta/object.ts';
import { refusalText } from './expect/outcome.ts';
import type { LoadedManifest } from './format.ts';
import { nameOf } from './known-webhooks.ts';
import { inLoadingOrder, manifestRank } from './loading-order.ts';
import type { ScenarioOutcome } from './outcome.ts';
import { locateManifest } from './steps/locate.ts';
import { withStoredRevision } from './steps/request-step.ts';
import type { ScenarioWorld, WorldAnswer } from './world.ts';

type Problem = NonNullable<ScenarioOutcome['problem']>;

/** Stores in loading order. Existing objects are replaced. Returns the first problem. */
export async function storeManifests(
  load: readonly LoadedManifest[],
  world: ScenarioWorld,
): Promise<Problem | undefined> {
  for await (const { message, manifest } of storeInOrder(load, world)) return { message, place: manifest.place };
  return undefined;
}

export interface RefusedManifest {
  readonly manifest: LoadedManifest;
  /** undefined for a kind that is not served. */
  readonly answer: WorldAnswer | undefined;
  readonly message: string;
}

/** Stores in the same order all that are not refused. */
export async function storeAll(
  load: readonly LoadedManifest[],
  world: ScenarioWorld,
): Promise<readonly RefusedManifest[]> {
  const refused: RefusedManifest[] = [];
  for await (const one of storeInOrder(load, world)) refused.push(one);
  return refused;
}

/** Yields the refused ones; storing ends when the caller stops reading. */
async function* storeInOrder(load: readonly LoadedManifest[], world: ScenarioWorld): AsyncGenerator<RefusedManifest> {
  const sorted = inLoadingOrder(load);
  for (const [index, manifest] of sorted.entries()) {
    const stored = await storeManifest(manifest, world);
    if (typeof stored === 'string') {
      yield { manifest, answer: undefined, message: `${manifestTitle(manifest.object)} cannot be stored: ${stored}` };
    } else if (stored.code >= 400) {
      const message = `${manifestTitle(manifest.object)} is refused with ${refusalText(stored)}`;
      yield { manifest, answer: stored, message };
    }
    const next = sorted[index + 1];
    // Pods need the ServiceAccounts of the namespaces before them.
    if (!next || manifestRank(next) !== manifestRank(manifest)) await world.settle();
  }
}

/** An object that exists on the server already. */
export async function findExisting(
  load: readonly LoadedManifest[],
  world: ScenarioWorld,
): Promise<Problem | undefined> {
  for (const { object, place } of load) {
    const location = await locateManifest(world, object);
    if (location.outcome === 'unknown' && isDefinedIn(object, load)) continue;
    if (location.outcome === 'unknown')
      return { message: `${manifestTitle(object)} cannot be stored: ${location.problem}`, place };
    if (location.path === location.collection) continue;
    const { code } = await world.send({ method: 'GET', path: location.path });
    if (code === 200) {
      const message = `${manifestTitle(object)} is on the server already; nothing was changed. Remove it, or use another server`;
      return { message, place };
    }
  }
  return undefined;
}

/** Whether one of these manifests is the definition of the object's kind. */
export const isDefinedIn = ({ apiVersion, kind }: JsonObject, load: readonly LoadedManifest[]): boolean =>
  load.some(
    ({ object }) =>
      object['kind'] === 'CustomResourceDefinition' &&
      valueAt(object, 'spec', 'names', 'kind') === kind &&
      asString(apiVersion).startsWith(`${asString(valueAt(object, 'spec', 'group'))}/`),
  );

/** The response, or why there is none. */
async function storeManifest({ object: written }: LoadedManifest, world: ScenarioWorld): Promise<WorldAnswer | string> {
  const object = withoutServerMetadata(written);
  const location = await locateManifest(world, object);
  if (location.outcome === 'unknown') return location.problem;
  const query = { fieldManager: 'kadmit-load', fieldValidation: 'Strict' };
  const created = await world.send({ method: 'POST', path: location.collection, query, body: object });
  if (!alreadyExists(created)) return created;
  const body = await withStoredRevision(object, location.path, world);
  return world.send({ method: 'PUT', path: location.path, query, body });
}

const alreadyExists = ({ code, body }: WorldAnswer): boolean => code === 409 && body['reason'] === 'AlreadyExists';

export const manifestTitle = (object: JsonObject): string => `${asString(object['kind'])} ${nameOf(object)}`.trim();
