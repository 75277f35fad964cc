import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What Go says of the life of a kind: `(in *Endpoints) APILifecycleDeprecated() … return 1, 33`. */
interface Lifecycle {
  readonly deprecated?: string;
  readonly removed?: string;
  /** `discovery.k8s.io/v1 EndpointSlice`. */
  readonly replacement?: string;
}

const method = /func \(in \*(\w+)\) APILifecycle(\w+)\(\)[^{]*\{\n\s*return (.*)\n\}/g;

/** The lives of the kinds of one folder of Go, by kind. */
function livesIn(folder: string): ReadonlyMap<string, Lifecycle> {
  const files = ['zz_generated.prerelease-lifecycle.go', 'lifecycle.go'].map((name) => join(folder, name));
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  const lives = new Map<string, Lifecycle>();
  for (const [, kind = '', what = '', value = ''] of texts.join('\n').matchAll(method)) {
    lives.set(kind, {
      ...lives.get(kind),
      [what.toLowerCase()]: what === 'Replacement' ? kindIn(value) : release(value),
    });
  }
  return lives;
}

const release = (pair: string): string => pair.replace(', ', '.');

function kindIn(literal: string): string {
  const part = (name: string): string => new RegExp(`${name}: "([^"]*)"`).exec(literal)?.[1] ?? '';
  return `${part('Group') === '' ? '' : `${part('Group')}/`}${part('Version')} ${part('Kind')}`;
}

interface Row {
  readonly name: string;
  readonly kind: string;
}

interface Group {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly Row[] }[];
}

/**
 * What every request for a deprecated resource is warned of in this minor release, by `group/version/resource`. Follows
 * apiserver pkg/endpoints/deprecation/deprecation.go and the zz_generated.prerelease-lifecycle.go of k8s.io/api.
 */
export function deprecationsOf(
  groups: readonly Group[],
  goTypes: Readonly<Record<string, string>>,
  { api, minor }: { readonly api: string; readonly minor: number },
): Readonly<Record<string, string>> {
  const folders = new Map<string, ReadonlyMap<string, Lifecycle>>();
  const lifeOf = (type: string): Lifecycle | undefined => {
    const [group = '', version = '', kind = ''] = type.split('.');
    const folder = join(api, group, version);
    const lives = folders.get(folder) ?? livesIn(folder);
    folders.set(folder, lives);
    return lives.get(kind);
  };
  const all = groups.flatMap(({ group, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(({ name, kind }) => ({
        path: `${group}/${version}/${name}`,
        kind,
        apiVersion: group === '' ? version : `${group}/${version}`,
      })),
    ),
  );
  const rows = all.flatMap(({ path, kind, apiVersion }): (readonly [string, string])[] => {
    const life = lifeOf(goTypes[`${apiVersion}/${kind}`] ?? '');
    if (life?.deprecated === undefined || Number(life.deprecated.split('.')[1]) > minor) return [];
    return [[path, warningOf(`${apiVersion} ${kind}`, life)]];
  });
  return Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const warningOf = (what: string, { deprecated = '', removed, replacement }: Lifecycle): string =>
  [
    `${what} is deprecated in v${deprecated}+`,
    removed === undefined ? '' : `, unavailable in v${removed}+`,
    replacement === undefined ? '' : `; use ${replacement}`,
  ].join('');
