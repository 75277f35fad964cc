import { existsSync, rmSync } from 'node:fs';
import { ConfigError } from '../config-error.ts';
import { callServer } from './call-server.ts';
import { type AdminKubeconfig, isOwnKubeconfig, writeKubeconfig } from '../kubeconfig.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

export interface PlacedKubeconfig {
  readonly path: string;
  /** Why another path was used; '' for the usual path. */
  readonly note: string;
  /** Removes the file unless it is at the usual path, where the next server replaces it. */
  readonly remove: () => void;
}

/**
 * Writes a server's kubeconfig. When the file belongs to another running server, writes a file named after the port
 * beside it, or throws if the path was given. Throws ConfigError when it cannot write.
 */
export async function placeKubeconfig(
  path: string,
  cluster: AdminKubeconfig,
  isExplicit: boolean,
): Promise<PlacedKubeconfig> {
  const other = await runningServer(path, cluster.url);
  if (other === undefined) {
    writeKubeconfig(path, cluster);
    return { path, note: '', remove: () => {} };
  }
  const note = `${path} points to the server at ${other}, which is running`;
  if (isExplicit) throw new ConfigError(`${note}; name another file with --write-kubeconfig`);
  const own = `${path}-${new URL(cluster.url).port}`;
  writeKubeconfig(own, cluster);
  return { path: own, note, remove: () => rmSync(own, { force: true }) };
}

/** Milliseconds. */
const timeoutMs = 2000;

/** The URL of another server in this kubeconfig, if it answers. */
async function runningServer(path: string, url: string): Promise<string | undefined> {
  if (!existsSync(path) || !isOwnKubeconfig(path)) return undefined;
  try {
    const access = await readKubeconfig(path);
    if (access.url === url) return undefined;
    await callServer(access, { method: 'GET', path: '/readyz', timeout: timeoutMs });
    return access.url;
  } catch {
    return undefined;
  }
}
