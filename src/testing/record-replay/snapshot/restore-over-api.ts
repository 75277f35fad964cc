import { setTimeout as sleep } from 'node:timers/promises';
import { asString, valueAt } from '../../../machinery/json/json.ts';
import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { planRestore } from './restoring-order.ts';
import { type DiscoveredResource, fetchResources } from '../../../adapters/config/kubeconfig/discovery.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/call-server.ts';
import { maxTries, retryDelayMs, objectTitle, writeObject } from './write-object.ts';

export interface RestoreReport {
  readonly created: number;
  readonly replaced: number;
  /** Refusals: `Pod shop/web: …`. */
  readonly problems: readonly string[];
  readonly lostOwners: number;
}

/**
 * Writes a snapshot to a running server, which assigns new uids and times; owners get the new uids, existing objects are replaced. `uids`
 * is filled: new ones by recorded ones. Rejects with ConfigError when the server cannot be reached.
 */
export async function restoreOverApi(
  objects: readonly KubernetesObject[],
  access: ServerAccess,
  onProgress: (text: string) => void,
  uids = new Map<string, string>(),
): Promise<RestoreReport> {
  const { definitions, others, lostOwners } = planRestore(objects);
  const problems: string[] = [];
  const count = { created: 0, replaced: 0 };
  let served = new Map<string, DiscoveredResource>();
  const writeAll = async (all: readonly KubernetesObject[]): Promise<void> => {
    for (const [at, object] of all.entries()) {
      onProgress(`${at + 1} of ${all.length}`);
      const row = served.get(kindOf(object));
      const written = row
        ? await writeObject(object, { row, access, uids })
        : `no matches for kind "${object.kind}" in version "${object.apiVersion}"`;
      if (typeof written === 'string') problems.push(`${objectTitle(object)}: ${written}`);
      else count[written.outcome] += 1;
    }
  };
  served = await servedKinds(access);
  await writeAll(definitions);
  const kinds = new Set(others.map(kindOf).filter((kind) => isDefined(kind, definitions)));
  for (let tries = 0; tries < maxTries && [...kinds].some((kind) => !served.has(kind)); tries += 1) {
    if (tries > 0) await sleep(retryDelayMs);
    served = await servedKinds(access);
  }
  await writeAll(others);
  return { ...count, problems, lostOwners };
}

const kindOf = ({ apiVersion, kind }: KubernetesObject): string => `${apiVersion} ${kind}`;

/** A kind of one of these definitions is served a moment later. */
const isDefined = (kind: string, definitions: readonly KubernetesObject[]): boolean =>
  definitions.some(
    (one) =>
      kind.startsWith(`${asString(valueAt(one, 'spec', 'group'))}/`) &&
      kind.endsWith(` ${asString(valueAt(one, 'spec', 'names', 'kind'))}`),
  );

const servedKinds = async (access: ServerAccess): Promise<Map<string, DiscoveredResource>> =>
  new Map((await fetchResources(access)).map((one) => [`${apiVersionOf(one)} ${one.kind}`, one]));
