import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { ConfigError } from '../config-error.ts';
import { isOwnKubeconfig } from '../kubeconfig.ts';
import { readForeignKubeconfig } from './foreign-kubeconfig.ts';
import { readOwnKubeconfig } from './own-kubeconfig.ts';
import type { ServerAccess } from './server-access.ts';

/**
 * Reads the current context of a kubeconfig, or of several as KUBECONFIG lists them, as kubectl does: programs, token
 * files and proxies that it names are used. Throws ConfigError for one that cannot be used.
 */
export async function readKubeconfig(given: string): Promise<ServerAccess> {
  const path = kubeconfigPath(given);
  const paths = path.split(delimiter).filter((one) => one !== '');
  for (const one of paths) readText(one, path === ownKubeconfig ? passedOver() : '');
  if (paths.length === 1 && isOwnKubeconfig(path)) return readOwnKubeconfig(path);
  return readForeignKubeconfig(paths);
}

/** Where a server leaves its kubeconfig, seen from the folder in which it runs. */
const ownKubeconfig = '.kadmit/kubeconfig';

/** What KUBECONFIG names goes before what lies in the folder, but only if kadmit wrote it: nothing is asked of a cluster by chance. */
function kubeconfigPath(given: string): string {
  if (given !== ownKubeconfig) return given;
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '' && existsSync(path));
  return named.find((path) => path.endsWith(ownKubeconfig) || isOwnKubeconfig(path)) ?? given;
}

/** Why what KUBECONFIG names does not count; empty when it names nothing. */
function passedOver(): string {
  const named = process.env['KUBECONFIG'] ?? '';
  if (named === '') return '';
  const isThere = named.split(delimiter).some((path) => existsSync(path));
  return ` (KUBECONFIG names ${named}, ${isThere ? 'which kadmit did not write' : 'which is not there'})`;
}

function readText(path: string, more: string): void {
  try {
    readBoundedFile(path);
  } catch {
    throw new ConfigError(
      `${path} cannot be read; is kadmit serve running in this folder? --kubeconfig names another file${more}`,
    );
  }
}
