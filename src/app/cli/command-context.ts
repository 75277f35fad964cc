import type { Scenario } from '../../testing/scenario/format.ts';
import type { RunningServer, ServerConfig } from '../../adapters/config/server-config.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { JsonDocument } from '../../machinery/json/json.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import type { Io } from './terminal/io.ts';

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

/** Functions of folders that `cli/` may not import; each loads its folder when it is called. */
export interface CommandContext {
  readonly startApiserver: (config: ServerConfig) => Promise<RunningServer>;
  /** Serves traces, oldest first, on this port of the loopback address. */
  readonly openTraces: (traces: readonly Trace[], port: number) => Promise<OpenPage>;
  readonly admissionPlugins: (minor: number) => Promise<AdmissionPlugins>;
  /** In order, with the user's own. Rejects with ConfigError for one that cannot be loaded. */
  readonly runningPlugins: (config: ServerConfig) => Promise<readonly string[]>;
  /** `onBug` receives errors of kadmit itself. */
  readonly createWorlds: (onBug: (error: unknown) => void) => Promise<Worlds>;
  /** The module that a thread of `kadmit test` runs; undefined: everything in one thread. */
  readonly testThread?: URL;
  /** Rejects with ConfigError for refused manifests. */
  readonly startOwnServer: (options: OwnServerOptions) => Promise<OwnServer>;
  /** Runs the command line of kadmit. */
  readonly runCommand: (args: readonly string[], io: Io) => Promise<number>;
  /** Reads YAML as the API server does. */
  readonly readYaml: (text: string) => Promise<YamlReading>;
}

interface OpenPage {
  /** With its token. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

type YamlReading =
  | { readonly outcome: 'read'; readonly value: JsonDocument }
  | { readonly outcome: 'unreadable'; readonly error: string };

/** In the order they run. */
export interface AdmissionPlugins {
  readonly inOrder: readonly string[];
  readonly byDefault: readonly string[];
}
