import { existsSync, rmSync } from 'node:fs';
import { ConfigError } from '../config-error.ts';
import { callServer } from './call-server.ts';
import { isOwnKubeconfig, writeKubeconfig } from '../kubeconfig.ts';
import type { Cluster } from '../kubeconfig.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

/** Where a server left its kubeconfig. */
export interface PlacedKubeconfig {
  readonly path: string;
  /** Why it is not where it was to be; empty when it is. */
  readonly note: string;
  /** Takes it away if it is not in its usual place, where the next server would replace it. */
  readonly remove: () => void;
}

/**
 * Writes the kubeconfig of a server. One that leads to another server, which still runs, stays: then it goes beside it,
 * under the name of its port; a place that was asked for is refused. Throws ConfigError when it cannot be written.
 */
export async function placeKubeconfig(path: string, cluster: Cluster, wasAskedFor: boolean): Promise<PlacedKubeconfig> {
  const other = await runningServer(path, cluster.url);
  if (other === undefined) {
    writeKubeconfig(path, cluster);
    return { path, note: '', remove: () => {} };
  }
  const note = `${path} leads to the server at ${other}, which is running`;
  if (wasAskedFor) throw new ConfigError(`${note}; name another file with --write-kubeconfig`);
  const own = `${path}-${new URL(cluster.url).port}`;
  writeKubeconfig(own, cluster);
  return { path: own, note, remove: () => rmSync(own, { force: true }) };
}

/** Long enough for a server of this machine that is busy. */
const patience = 2000;

/** The other server that this kubeconfig leads to, if it answers. */
async function runningServer(path: string, url: string): Promise<string | undefined> {
  if (!existsSync(path) || !isOwnKubeconfig(path)) return undefined;
  try {
    const access = await readKubeconfig(path);
    if (access.url === url) return undefined;
    await callServer(access, { method: 'GET', path: '/readyz', timeout: patience });
    return access.url;
  } catch {
    return undefined;
  }
}
