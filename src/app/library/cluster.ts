import type { WebhookRegistry } from './webhook-registry.ts';
import { type Converters, createConverters } from './converters.ts';
import type { Client, ObjectLike } from './client.ts';
import { type Traces, createTraces } from './traces.ts';
import { type Webhooks, createWebhooks } from './webhooks.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { TraceLog } from '../../adapters/traces/trace-log.ts';
import { errorText } from '../../machinery/errors.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { notADefinitionText } from '../../machinery/meta/removed-apis.ts';
import { installDefinitions, loadPaths } from '../compose/load-paths.ts';
import type { OpenWorld } from '../in-process/open-world.ts';
import type { Time } from '../in-process/time.ts';
import { createClient } from './create-client.ts';
import type { Contents, Manifest } from './options.ts';

/** What servers and worlds have in common. */
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

export interface ClusterParts {
  /** The world as it is now: `reset` may replace it. */
  readonly world: Pick<OpenWorld, 'send' | 'resourceOf' | 'findResource' | 'settle' | 'load'>;
  readonly registry: WebhookRegistry;
  readonly stored: () => ClusterView;
  readonly log: TraceLog;
  readonly time: Pick<Time, 'clock' | 'drive'>;
}

export interface CommonCluster {
  readonly cluster: Omit<Cluster, 'reset' | 'close'>;
  /** Resolves with whether it stored anything. */
  readonly begin: (contents: Contents) => Promise<boolean>;
}

export function createCluster({ world, registry, stored, log, time }: ClusterParts): CommonCluster {
  const client = createClient(world);
  const loadOne = async (manifest: Manifest, option = 'load'): Promise<void> => {
    if (typeof manifest === 'string') return world.load((...ports) => loadPaths([manifest], ...ports));
    const { kind = 'object', metadata = {} }: ObjectLike = manifest;
    try {
      await (metadata.name === undefined
        ? client.create(manifest)
        : client.apply(manifest, { fieldManager: 'kadmit-load', fieldValidation: 'Strict', force: true }));
    } catch (error) {
      const why = errorText(error);
      throw new Error(`${option}: ${kind} ${metadata.name ?? metadata.generateName ?? ''} was refused: ${why}`, {
        cause: error,
      });
    }
    // The next manifest may depend on the work of controllers.
    await world.settle();
  };
  const install = async (definition: Manifest): Promise<void> => {
    if (typeof definition === 'string') return world.load((...ports) => installDefinitions([definition], ...ports));
    const { kind = 'object' }: ObjectLike = definition;
    if (kind !== 'CustomResourceDefinition') throw new ConfigError(`crds: ${notADefinitionText(kind)}`);
    return loadOne(definition, 'crds');
  };
  const load = async (...manifests: readonly Manifest[]): Promise<void> => {
    for (const manifest of manifests) await loadOne(manifest);
  };
  return {
    cluster: {
      client,
      traces: createTraces(log, time),
      ...createWebhooks({ registry, client, stored }),
      ...createConverters({ registry, client, stored }),
      load,
      settle: world.settle,
    },
    begin: async ({ crds, load: manifests }) => {
      for (const definition of crds) await install(definition);
      await load(...manifests);
      return crds.length + manifests.length > 0;
    },
  };
}
