import type { Scenario } from '../../testing/scenario/format.ts';

export interface OwnServerOptions {
  /** Files and folders of manifests to store first. */
  readonly load: readonly string[];
  readonly kubernetesVersion: string;
}

/** An API server in this process, on a port of its own. */
export interface OwnServer {
  readonly kubeconfigPath: string;
  /** Stores the manifests of a scenario and answers the calls of its webhooks. Rejects for the first refused manifest. */
  readonly addStubs: (scenario: Pick<Scenario, 'webhooks' | 'load'>) => Promise<void>;
  /** Restores the state after the start, without stubs. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}
