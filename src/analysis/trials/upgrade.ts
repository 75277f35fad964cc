import { asObject, asString } from '../../machinery/json/json.ts';
import { createSwitchboard } from '../../testing/stubs/create-switchboard.ts';
import type { LoadedManifest, Scenario } from '../../testing/scenario/format.ts';
import { setupOf } from '../../testing/scenario/setup.ts';
import { locateManifest } from '../../testing/scenario/steps/locate.ts';
import { titleOf, turnOf } from '../../testing/scenario/store-manifests.ts';
import type { World, Worlds } from '../../testing/scenario/world.ts';
import { createNamespaces } from './create-namespaces.ts';
import { compareOutcomes } from './compare-releases.ts';
import type { Outcome } from './compare-releases.ts';
import { goneRules } from './gone-rules.ts';
import { withStubs } from './ground.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import { noteOf } from './release-notes.ts';
import type { UpgradeDifference } from './upgrade-difference.ts';

/** What becomes of objects and requests when a cluster goes from one release to another. */
export interface UpgradeReport {
  /** From the one to the other, with those between them. */
  readonly releases: readonly string[];
  readonly requests: number;
  readonly differences: readonly UpgradeDifference[];
  /** What was not tried, and why. */
  readonly leftOut: Readonly<Record<string, number>>;
}

interface Stand {
  readonly release: string;
  readonly world: World;
}

/** Stores the objects of a scenario under each of these releases, then tries the requests as dry runs, and says what differs. */
export async function upgrade(
  scenario: Scenario,
  releases: readonly string[],
  worlds: Worlds,
  requestsIn?: () => AsyncIterable<LoggedRequest | LeftOut>,
): Promise<UpgradeReport> {
  const stands: Stand[] = [];
  const report: Draft = { requests: 0, differences: [], leftOut: new Map() };
  try {
    for (const release of releases) stands.push({ release, world: await openUnder(release, scenario, worlds) });
    const manifests = scenario.load.toSorted((a, b) => turnIn(a) - turnIn(b));
    await storeAll(manifests, stands, report);
    report.differences.push(...(await goneRules(manifests, stands)));
    if (requestsIn) for await (const one of requestsIn()) await tryLogged(one, stands, report);
  } finally {
    for (const { world } of stands) await world.close();
  }
  const { requests, differences, leftOut } = report;
  return {
    releases,
    requests,
    leftOut: Object.fromEntries(leftOut),
    differences: differences.map((one) => ({ ...one, ...noteOf(one) })),
  };
}

interface Draft {
  requests: number;
  readonly differences: UpgradeDifference[];
  readonly leftOut: Map<string, number>;
}

/** Everybody allows everything: it is about the server. */
const openUnder = (kubernetesVersion: string, scenario: Scenario, worlds: Worlds): Promise<World> =>
  worlds.create({
    ...setupOf(scenario, createSwitchboard(withStubs(scenario), scenario.seed)),
    kubernetesVersion,
  });

/** What runs or serves comes last, before configurations and policies that are there already. */
const lateKinds = new Set(
  'Pod PodTemplate ReplicationController ReplicaSet Deployment StatefulSet DaemonSet Job CronJob Service Ingress'.split(
    ' ',
  ),
);
const turnIn = (manifest: LoadedManifest): number =>
  lateKinds.has(asString(manifest.object['kind'])) ? 5 : turnOf(manifest);

async function storeAll(manifests: readonly LoadedManifest[], stands: readonly Stand[], report: Draft): Promise<void> {
  for (const [index, manifest] of manifests.entries()) {
    await tryManifest(manifest, stands, report);
    const next = manifests[index + 1];
    if (next && turnIn(next) === turnIn(manifest)) continue;
    for (const { world } of stands) await world.settle();
  }
}

const leave = ({ leftOut }: Draft, why: string): void => void leftOut.set(why, (leftOut.get(why) ?? 0) + 1);

async function tryManifest({ object, place }: LoadedManifest, stands: readonly Stand[], report: Draft): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const { world } of stands) outcomes.push(await store(object, world));
  const known = outcomes.find(({ outcome }) => outcome === 'answered');
  if (!known && outcomes[0]?.outcome === 'unserved') return leave(report, `in no release: ${outcomes[0].problem}`);
  report.requests += 1;
  note(report, { request: titleOf(object), place: `${place.file}:${place.line}` }, stands, outcomes);
}

async function store(object: LoadedManifest['object'], world: World): Promise<Outcome> {
  const location = await locateManifest(world, object);
  if (location.outcome === 'unknown') return { outcome: 'unserved', problem: location.problem };
  const { namespace } = asObject(object['metadata']);
  if (location.resource.namespaced) await createNamespaces(world)(asString(namespace ?? 'default'));
  const query = { fieldManager: 'kadmit-upgrade', fieldValidation: 'Warn' };
  const answer = await world.send({ method: 'POST', path: location.collection, query, body: object });
  return { outcome: 'answered', answer };
}

async function tryLogged(one: LoggedRequest | LeftOut, stands: readonly Stand[], report: Draft): Promise<void> {
  if (typeof one === 'string') return leave(report, one);
  const send = async ({ world }: Stand): Promise<Outcome> => {
    await createNamespaces(world)(one.namespace);
    return { outcome: 'answered', answer: await world.send(one.request) };
  };
  const [first, last] = [stands[0], stands.at(-1)];
  if (!first || !last) return;
  const [before, after] = [await send(first), await send(last)];
  if (one.needsObject && [before, after].every((each) => each.outcome === 'answered' && each.answer.code === 404)) {
    return leave(report, 'the object is not there');
  }
  report.requests += 1;
  if (compareOutcomes(before, after).length === 0) return;
  const between: Outcome[] = [];
  for (const stand of stands.slice(1, -1)) between.push(await send(stand));
  note(report, { request: one.title }, stands, [before, ...between, after]);
}

/** Every release is held against the one before it. */
function note(
  { differences }: Draft,
  about: Pick<UpgradeDifference, 'request' | 'place'>,
  stands: readonly Stand[],
  outcomes: readonly Outcome[],
): void {
  for (const [index, { release }] of stands.entries()) {
    const [before, after] = [outcomes[index - 1], outcomes[index]];
    if (!before || !after) continue;
    differences.push(...compareOutcomes(before, after).map((change) => ({ ...about, since: release, ...change })));
  }
}
