import type { JsonDocument } from '../../machinery/json/json.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import type { RunningServer, ServerConfig } from '../../adapters/config/server-config.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import type { Io } from './terminal/io.ts';

/** One command of `kadmit`. */
export interface Command {
  readonly name: string;
  /** What follows the name: `[ID|last] [--kubeconfig FILE]`. */
  readonly synopsis: string;
  readonly purpose: string;
  /** Loads and runs it; resolves with the exit code. */
  readonly run: (args: readonly string[], io: Io, parts: Parts) => Promise<number>;
}

/** What commands take from the rooms they may not open; each loads its room when called. */
export interface Parts {
  readonly startApiserver: (config: ServerConfig) => Promise<RunningServer>;
  /** Shows traces, oldest first, in a page on this port of the loopback address. */
  readonly openTraces: (traces: readonly Trace[], port: number) => Promise<OpenPage>;
  /** Names of the admission plugins in the order they run, and those that run by default. */
  readonly admissionPlugins: () => Promise<AdmissionPlugins>;
  /** Those that run in such a server, in order, with the user's own. Rejects with ConfigError for one that cannot be loaded. */
  readonly runningPlugins: (config: ServerConfig) => Promise<readonly string[]>;
  /** Makes worlds for scenarios; `onBug` is told of what must never happen. */
  readonly createWorlds: (onBug: (error: unknown) => void) => Promise<Worlds>;
  /** The module that a thread of `kadmit test` runs; undefined: everything in one thread. */
  readonly testThread?: URL;
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

export interface AdmissionPlugins {
  readonly inOrder: readonly string[];
  readonly byDefault: readonly string[];
}
