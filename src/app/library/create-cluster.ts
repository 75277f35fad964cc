import { noDefinition } from '../../machinery/meta/definition-advice.ts';
import { errorText } from '../../machinery/error-text.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { OpenWorld } from '../in-process/open-world.ts';
import type { TraceLog } from '../../explain/trace/trace-log.ts';
import type { Time } from '../in-process/time.ts';
import type { Cluster, Manifest } from './cluster.ts';
import { createClient } from './create-client.ts';
import type { ObjectLike } from './objects.ts';
import type { Contents } from './options.ts';
import { createConverters } from './create-converters.ts';
import { createTraces } from './create-traces.ts';
import { createWebhooks } from './create-webhooks.ts';
import type { WebhookBoard } from './webhook-board.ts';

export interface ClusterParts {
  /** The world as it is now: `reset` may replace it. */
  readonly world: Pick<
    OpenWorld,
    'send' | 'resourceOf' | 'findResource' | 'settle' | 'loadPaths' | 'installDefinitions'
  >;
  readonly board: WebhookBoard;
  /** What is stored. */
  readonly stored: () => ClusterView;
  readonly log: TraceLog;
  readonly time: Pick<Time, 'clock' | 'drive'>;
}

export interface CommonCluster {
  /** What can be done with any cluster. */
  readonly cluster: Omit<Cluster, 'reset' | 'close'>;
  /** Stores what it begins with, and says whether that is anything. */
  readonly begin: (contents: Contents) => Promise<boolean>;
}

/** A cluster over this world. */
export function createCluster({ world, board, stored, log, time }: ClusterParts): CommonCluster {
  const client = createClient(world);
  const loadOne = async (manifest: Manifest, option = 'load'): Promise<void> => {
    if (typeof manifest === 'string') return world.loadPaths([manifest]);
    const { kind = 'object', metadata = {} }: ObjectLike = manifest;
    try {
      await (metadata.name === undefined
        ? client.create(manifest)
        : client.apply(manifest, { fieldManager: 'kadmit-load', fieldValidation: 'Strict', force: true }));
    } catch (error) {
      const why = errorText(error);
      throw new Error(`${option}: ${kind} ${metadata.name ?? metadata.generateName ?? ''} is refused: ${why}`, {
        cause: error,
      });
    }
    // What comes next may need what the controllers make of it.
    await world.settle();
  };
  const install = async (definition: Manifest): Promise<void> => {
    if (typeof definition === 'string') return world.installDefinitions([definition]);
    const { kind = 'object' }: ObjectLike = definition;
    if (kind !== 'CustomResourceDefinition') throw new ConfigError(`crds: ${noDefinition(kind)}`);
    return loadOne(definition, 'crds');
  };
  const load = async (...manifests: readonly Manifest[]): Promise<void> => {
    for (const manifest of manifests) await loadOne(manifest);
  };
  return {
    cluster: {
      client,
      traces: createTraces(log, time),
      ...createWebhooks({ board, client, stored }),
      ...createConverters({ board, client, stored }),
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
