import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { errorText } from '../../../machinery/error-text.ts';
import { issueCertificate } from '../../../adapters/certificates/issue-certificate.ts';
import { connectTarget } from '../../../testing/scenario/target/target-worlds.ts';
import type { TargetServer } from '../../../testing/scenario/target/target-worlds.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { Io } from '../terminal/io.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';

/**
 * The server of a kubeconfig, for scenarios to run on. Under `stubAddress` it reaches this machine; '' when it runs here
 * too. Throws ConfigError for a file or a server that cannot be used.
 */
export async function openTarget(flag: string, kubeconfig: string, stubAddress: string): Promise<TargetServer> {
  const missing = kubeconfig.split(delimiter).find((path) => path !== '' && !existsSync(path));
  if (missing !== undefined) throw new ConfigError(`${flag} ${missing}: there is no such file`);
  const stubs = stubAddress === '' ? {} : { stubHost: '0.0.0.0', stubName: stubAddress };
  const access = await readKubeconfig(kubeconfig);
  try {
    return await connectTarget({ access, issueCertificate, ...stubs });
  } catch (error) {
    throw new ConfigError(`${flag} ${kubeconfig}: ${errorText(error)}`);
  }
}

/**
 * Works with a target and closes it, so that what scenarios have made is removed: after Ctrl-C too, with exit code 130;
 * a second one leaves it there.
 */
export async function withTarget<T>(
  target: TargetServer,
  io: Io,
  work: (target: TargetServer) => Promise<T>,
): Promise<T> {
  const stop = (): void => {
    io.error('kadmit test: interrupted; what the scenario has made is removed, Ctrl-C again leaves it there');
    process.once('SIGINT', () => process.exit(interrupted));
    void target.close().finally(() => process.exit(interrupted));
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(target);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    await target.close();
  }
}

const interrupted = 130;
