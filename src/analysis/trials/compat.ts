import { type GroupVersionResource, groupVersionPath } from '../../machinery/meta/gvk.ts';
import { asList, asObject, asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import type { LoadedManifest, Scenario } from '../../testing/scenario/format.ts';
import { isConfiguration, isPolicy } from '../../testing/scenario/known-webhooks.ts';
import { setupOf } from '../../testing/scenario/setup.ts';
import { locateManifest } from '../../testing/scenario/steps/locate.ts';
import { manifestRank } from '../../testing/scenario/loading-order.ts';
import { manifestTitle } from '../../testing/scenario/store-manifests.ts';
import type { ScenarioWorld, Worlds } from '../../testing/scenario/world.ts';
import { createStubRegistry } from '../../testing/stubs/stub-registry.ts';
import { compareOutcomes, type ReleaseOutcome } from './compare-releases.ts';
import { createNamespaces } from './compare-sets.ts';
import { withStubs } from './trial-setup.ts';
import type { LeftOut, LoggedRequest } from './logged-request.ts';
import { findNote, type CompatDifference } from './release-notes.ts';

/** Rules of webhooks and policies that name resources which a release removes or adds. */
async function compareRules(
  manifests: readonly LoadedManifest[],
  releaseWorlds: readonly { readonly release: string; readonly world: ScenarioWorld }[],
): Promise<readonly CompatDifference[]> {
  const found: CompatDifference[] = [];
  const served = releaseWorlds.map(({ world }) => createServedCheck(world));
  for (const { object, place } of manifests.filter((one) => isConfiguration(one.object) || isPolicy(one.object))) {
    const about = { request: manifestTitle(object), place: `${place.file}:${place.line}` };
    for (const named of new Map(
      listRules(object)
        .flatMap(namedResources)
        .map((one) => [resourceText(one), one]),
    ).values()) {
      const answers = await Promise.all(served.map((sendTo) => sendTo(named)));
      found.push(...ruleChanges(named, answers, releaseWorlds).map((change) => ({ ...about, ...change })));
    }
  }
  return found;
}

/** The releases that differ from the previous one. */
const ruleChanges = (
  named: GroupVersionResource,
  answers: readonly boolean[],
  releaseWorlds: readonly { readonly release: string }[],
): readonly Pick<CompatDifference, 'since' | 'kind' | 'text'>[] =>
  releaseWorlds.flatMap(({ release }, index) => {
    if (index === 0 || answers[index] === answers[index - 1]) return [];
    const what = answers[index] ? 'is served from this release on' : 'is not served any more';
    return [{ since: release, kind: 'rule' as const, text: `has a rule about ${resourceText(named)}, which ${what}` }];
  });

const resourceText = ({ group, version, resource }: GroupVersionResource): string =>
  `${group === '' ? '' : `${group}/`}${version}/${resource}`;

const listRules = (object: JsonObject): readonly JsonObject[] =>
  [
    ...asList(object['webhooks']).flatMap((webhook) => asList(asObject(webhook)['rules'])),
    ...asList(valueAt(object, 'spec', 'matchConstraints', 'resourceRules')),
  ].map(asObject);

/** The resources that a rule names in full; wildcards are skipped. */
function namedResources(rule: JsonObject): readonly GroupVersionResource[] {
  const words = (field: string): readonly string[] =>
    asList(rule[field])
      .map(asString)
      .filter((word) => !word.includes('*'));
  return words('apiGroups').flatMap((group) =>
    words('apiVersions').flatMap((version) => words('resources').map((resource) => ({ group, version, resource }))),
  );
}

/** Caches by group and version. */
function createServedCheck(world: ScenarioWorld): (named: GroupVersionResource) => Promise<boolean> {
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  return async ({ group, version, resource }) => {
    const path = groupVersionPath({ group, version });
    const list = lists.get(path) ?? fetchResourceNames(world, path);
    lists.set(path, list);
    return (await list).has(resource);
  };
}

async function fetchResourceNames(world: ScenarioWorld, path: string): Promise<ReadonlySet<string>> {
  const { code, body } = await world.send({ method: 'GET', path });
  return new Set(code >= 400 ? [] : asList(body['resources']).map((row) => asString(asObject(row)['name'])));
}

/** The effect of an upgrade on objects and requests. */
export interface CompatReport {
  /** From first to last. */
  readonly releases: readonly string[];
  readonly requests: number;
  readonly differences: readonly CompatDifference[];
  /** Requests that were not tried, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
}

interface ReleaseWorld {
  readonly release: string;
  readonly world: ScenarioWorld;
}

/** Stores a scenario's objects under each release, sends the requests as dry runs, and reports differences. */
export async function compareReleases(
  scenario: Scenario,
  releases: readonly string[],
  worlds: Worlds,
  requestsIn?: () => AsyncIterable<LoggedRequest | LeftOut>,
): Promise<CompatReport> {
  const releaseWorlds: ReleaseWorld[] = [];
  const report: CompatDraft = { requests: 0, differences: [], leftOut: new Map() };
  try {
    for (const release of releases)
      releaseWorlds.push({ release, world: await createReleaseWorld(release, scenario, worlds) });
    const manifests = scenario.load.toSorted((a, b) => storeRank(a) - storeRank(b));
    await storeAll(manifests, releaseWorlds, report);
    report.differences.push(...(await compareRules(manifests, releaseWorlds)));
    if (requestsIn) for await (const one of requestsIn()) await tryLogged(one, releaseWorlds, report);
  } finally {
    for (const { world } of releaseWorlds) await world.close();
  }
  const { requests, differences, leftOut } = report;
  return {
    releases,
    requests,
    leftOut: Object.fromEntries(leftOut),
    differences: differences.map((one) => ({ ...one, ...findNote(one) })),
  };
}

interface CompatDraft {
  requests: number;
  readonly differences: CompatDifference[];
  readonly leftOut: Map<string, number>;
}

/** All webhooks allow: only the server's changes matter. */
const createReleaseWorld = (kubernetesVersion: string, scenario: Scenario, worlds: Worlds): Promise<ScenarioWorld> =>
  worlds.create({
    ...setupOf(scenario, createStubRegistry(withStubs(scenario), scenario.seed)),
    kubernetesVersion,
  });

/** Stored last, before existing configurations and policies. */
const lateKinds = new Set(
  'Pod PodTemplate ReplicationController ReplicaSet Deployment StatefulSet DaemonSet Job CronJob Service Ingress'.split(
    ' ',
  ),
);
const storeRank = (manifest: LoadedManifest): number =>
  lateKinds.has(asString(manifest.object['kind'])) ? 5 : manifestRank(manifest);

async function storeAll(
  manifests: readonly LoadedManifest[],
  releaseWorlds: readonly ReleaseWorld[],
  report: CompatDraft,
): Promise<void> {
  for (const [index, manifest] of manifests.entries()) {
    await tryManifest(manifest, releaseWorlds, report);
    const next = manifests[index + 1];
    if (next && storeRank(next) === storeRank(manifest)) continue;
    for (const { world } of releaseWorlds) await world.settle();
  }
}

const countSkipped = ({ leftOut }: CompatDraft, why: string): void =>
  void leftOut.set(why, (leftOut.get(why) ?? 0) + 1);

async function tryManifest(
  { object, place }: LoadedManifest,
  releaseWorlds: readonly ReleaseWorld[],
  report: CompatDraft,
): Promise<void> {
  const outcomes: ReleaseOutcome[] = [];
  for (const { world } of releaseWorlds) outcomes.push(await store(object, world));
  const known = outcomes.find(({ outcome }) => outcome === 'answered');
  if (!known && outcomes[0]?.outcome === 'unserved')
    return countSkipped(report, `in no release: ${outcomes[0].problem}`);
  report.requests += 1;
  addDifferences(
    report,
    { request: manifestTitle(object), place: `${place.file}:${place.line}` },
    releaseWorlds,
    outcomes,
  );
}

async function store(object: LoadedManifest['object'], world: ScenarioWorld): Promise<ReleaseOutcome> {
  const location = await locateManifest(world, object);
  if (location.outcome === 'unknown') return { outcome: 'unserved', problem: location.problem };
  const { namespace } = asObject(object['metadata']);
  if (location.resource.namespaced) await createNamespaces(world)(asString(namespace ?? 'default'));
  const query = { fieldManager: 'kadmit-compat', fieldValidation: 'Warn' };
  const answer = await world.send({ method: 'POST', path: location.collection, query, body: object });
  return { outcome: 'answered', answer };
}

async function tryLogged(
  one: LoggedRequest | LeftOut,
  releaseWorlds: readonly ReleaseWorld[],
  report: CompatDraft,
): Promise<void> {
  if (typeof one === 'string') return countSkipped(report, one);
  const send = async ({ world }: ReleaseWorld): Promise<ReleaseOutcome> => {
    await createNamespaces(world)(one.namespace);
    return { outcome: 'answered', answer: await world.send(one.request) };
  };
  const [first, last] = [releaseWorlds[0], releaseWorlds.at(-1)];
  if (!first || !last) return;
  const [before, after] = [await send(first), await send(last)];
  if (one.needsObject && [before, after].every((each) => each.outcome === 'answered' && each.answer.code === 404)) {
    return countSkipped(report, 'the object is not there');
  }
  report.requests += 1;
  if (compareOutcomes(before, after).length === 0) return;
  const between: ReleaseOutcome[] = [];
  for (const releaseWorld of releaseWorlds.slice(1, -1)) between.push(await send(releaseWorld));
  addDifferences(report, { request: one.title }, releaseWorlds, [before, ...between, after]);
}

/** Compares each release with the previous one. */
function addDifferences(
  { differences }: CompatDraft,
  about: Pick<CompatDifference, 'request' | 'place'>,
  releaseWorlds: readonly ReleaseWorld[],
  outcomes: readonly ReleaseOutcome[],
): void {
  for (const [index, { release }] of releaseWorlds.entries()) {
    const [before, after] = [outcomes[index - 1], outcomes[index]];
    if (!before || !after) continue;
    differences.push(...compareOutcomes(before, after).map((change) => ({ ...about, since: release, ...change })));
  }
}
