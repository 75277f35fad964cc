import type { Scenario } from '../../testing/scenario/format.ts';
import { startWithStubs } from './start-kadmit.ts';

interface StubServerOptions {
  readonly load: readonly string[];
  readonly kubernetesVersion: string;
}

interface StubServer {
  readonly kubeconfigPath: string;
  readonly addStubs: (scenario: Pick<Scenario, 'webhooks' | 'load'>) => Promise<void>;
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The server of `kadmit mcp`: one whose stubs are those of scenarios. Rejects like startKadmit. */
export async function startOwnServer({ load, kubernetesVersion }: StubServerOptions): Promise<StubServer> {
  const { kadmit, stubs } = await startWithStubs({
    load,
    ...(kubernetesVersion === '' ? {} : { kubernetesVersion }),
  });
  return {
    kubeconfigPath: kadmit.kubeconfigPath,
    addStubs: async ({ webhooks, load: manifests }) => {
      webhooks.forEach(stubs.add);
      await kadmit.load(...manifests.map(({ object }) => object));
    },
    reset: kadmit.reset,
    close: kadmit.close,
  };
}
