import { issueCertificate } from '../certs/issue-certificate.ts';
import { connectTarget } from '../scenario/target/target-worlds.ts';
import type { Target } from '../scenario/target/target-worlds.ts';
import { ConfigError } from '../server-config.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

/** The server of a kubeconfig, for scenarios to run on. Throws ConfigError for a file or a server that cannot be used. */
export async function openTarget(flag: string, kubeconfig: string): Promise<Target> {
  const access = await readKubeconfig(kubeconfig);
  try {
    return await connectTarget({ access, issueCertificate });
  } catch (error) {
    throw new ConfigError(`${flag} ${kubeconfig}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
