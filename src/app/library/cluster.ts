import type { Converters } from './converters.ts';
import type { Client } from './client.ts';
import type { Traces } from './traces.ts';
import type { Webhooks } from './webhooks.ts';
import type { Manifest } from './options.ts';

/** What servers and worlds have in common. Apart from create-cluster.ts, whose imports would be part of the published types. */
export interface Cluster extends Webhooks, Converters {
  /** As kubernetes-admin. */
  readonly client: Client;
  readonly traces: Traces;
  /** Stores manifests: paths of files and folders, and objects. Rejects for the first refused one. */
  readonly load: (...manifests: readonly Manifest[]) => Promise<void>;
  /** Waits until the controllers have processed all writes so far. */
  readonly settle: () => Promise<void>;
  /** Restores the state after the start: objects, webhooks, traces. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}
