import { readBoundedFile } from '../../../machinery/files/bounded-file.ts';
import { objectsInText, readObjects } from '../../../analysis/lint/read-objects.ts';
import type { ReadObjects } from '../../../analysis/lint/read-objects.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { serverObjects } from './server-objects.ts';

/**
 * The objects of these files and folders (`-`: standard input), and of the server of this kubeconfig unless it is ''.
 * Throws ConfigError when the server cannot be asked; what cannot be read is among the problems.
 */
export async function gather(paths: readonly string[], kubeconfig: string): Promise<ReadObjects> {
  const files = readObjects(paths.filter((path) => path !== '-'));
  const given = paths.includes('-') ? objectsInText('stdin', readBoundedFile(0)) : undefined;
  const served = kubeconfig === '' ? [] : await serverObjects(await readKubeconfig(kubeconfig));
  return {
    objects: [...files.objects, ...(given?.objects ?? []), ...served],
    texts: new Map([...files.texts, ...(given?.texts ?? [])]),
    problems: [...files.problems, ...(given?.problems ?? [])],
  };
}
