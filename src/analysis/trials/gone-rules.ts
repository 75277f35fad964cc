import { asList, asObject, asString, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { LoadedManifest } from '../../testing/scenario/format.ts';
import { isConfiguration, isPolicy } from '../../testing/scenario/known-webhooks.ts';
import { titleOf } from '../../testing/scenario/store-manifests.ts';
import type { World } from '../../testing/scenario/world.ts';
import type { UpgradeDifference } from './upgrade-difference.ts';

/** Rules of webhooks and policies that name what a release does not serve any more, or serves for the first time. */
export async function goneRules(
  manifests: readonly LoadedManifest[],
  stands: readonly { readonly release: string; readonly world: World }[],
): Promise<readonly UpgradeDifference[]> {
  const found: UpgradeDifference[] = [];
  const served = stands.map(({ world }) => createServed(world));
  for (const { object, place } of manifests.filter((one) => isConfiguration(one.object) || isPolicy(one.object))) {
    const about = { request: titleOf(object), place: `${place.file}:${place.line}` };
    for (const named of new Map(
      rulesIn(object)
        .flatMap(namedIn)
        .map((one) => [textOf(one), one]),
    ).values()) {
      const answers = await Promise.all(served.map((ask) => ask(named)));
      found.push(...changesOf(named, answers, stands).map((change) => ({ ...about, ...change })));
    }
  }
  return found;
}

/** The releases that serve it otherwise than the ones before them. */
const changesOf = (
  named: Named,
  answers: readonly boolean[],
  stands: readonly { readonly release: string }[],
): readonly Pick<UpgradeDifference, 'since' | 'kind' | 'text'>[] =>
  stands.flatMap(({ release }, index) => {
    if (index === 0 || answers[index] === answers[index - 1]) return [];
    const what = answers[index] ? 'is served from this release on' : 'is not served any more';
    return [{ since: release, kind: 'rule' as const, text: `has a rule about ${textOf(named)}, which ${what}` }];
  });

interface Named {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const textOf = ({ group, version, resource }: Named): string =>
  `${group === '' ? '' : `${group}/`}${version}/${resource}`;

const rulesIn = (object: JsonObject): readonly JsonObject[] =>
  [
    ...asList(object['webhooks']).flatMap((webhook) => asList(asObject(webhook)['rules'])),
    ...asList(valueAt(object, 'spec', 'matchConstraints', 'resourceRules')),
  ].map(asObject);

/** What a rule names in full: a star stands for whatever there is. */
function namedIn(rule: JsonObject): readonly Named[] {
  const words = (field: string): readonly string[] =>
    asList(rule[field])
      .map(asString)
      .filter((word) => !word.includes('*'));
  return words('apiGroups').flatMap((group) =>
    words('apiVersions').flatMap((version) => words('resources').map((resource) => ({ group, version, resource }))),
  );
}

/** Asks for each group and version once. */
function createServed(world: World): (named: Named) => Promise<boolean> {
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  return async ({ group, version, resource }) => {
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const list = lists.get(path) ?? resourcesAt(world, path);
    lists.set(path, list);
    return (await list).has(resource);
  };
}

async function resourcesAt(world: World, path: string): Promise<ReadonlySet<string>> {
  const { code, body } = await world.send({ method: 'GET', path });
  return new Set(code >= 400 ? [] : asList(body['resources']).map((row) => asString(asObject(row)['name'])));
}
