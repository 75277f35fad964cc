import { errorText } from '../apimachinery/error-text.ts';
import type { ClusterView } from '../apimachinery/cluster-view.ts';
import type { OpenWorld } from '../simulate/open-world.ts';
import type { TraceLog } from '../trace/trace-log.ts';
import type { Time } from '../simulate/time.ts';
import type { Cluster, Manifest } from './cluster.ts';
import { createClient } from './create-client.ts';
import type { ObjectLike } from './objects.ts';
import { createConverters } from './create-converters.ts';
import { createTraces } from './create-traces.ts';
import { createWebhooks } from './create-webhooks.ts';
import type { WebhookBoard } from './webhook-board.ts';

export interface ClusterParts {
  /** The world as it is now: `reset` may replace it. */
  readonly world: Pick<OpenWorld, 'send' | 'resourceOf' | 'findResource' | 'settle' | 'loadPaths'>;
  readonly board: WebhookBoard;
  /** What is stored. */
  readonly stored: () => ClusterView;
  readonly log: TraceLog;
  readonly time: Pick<Time, 'clock' | 'drive'>;
}

/** What can be done with any cluster. */
export function createCluster({ world, board, stored, log, time }: ClusterParts): Omit<Cluster, 'reset' | 'close'> {
  const client = createClient(world);
  const loadOne = async (manifest: Manifest): Promise<void> => {
    if (typeof manifest === 'string') return world.loadPaths([manifest]);
    const { kind = 'object', metadata = {} }: ObjectLike = manifest;
    try {
      await (metadata.name === undefined
        ? client.create(manifest)
        : client.apply(manifest, { fieldManager: 'kadmit-load', fieldValidation: 'Strict', force: true }));
    } catch (error) {
      const why = errorText(error);
      throw new Error(`load: ${kind} ${metadata.name ?? metadata.generateName ?? ''} is refused: ${why}`, {
        cause: error,
      });
    }
    // What comes next may need what the controllers make of it.
    await world.settle();
  };
  return {
    client,
    traces: createTraces(log, time),
    ...createWebhooks({ board, client, stored }),
    ...createConverters({ board, client, stored }),
    load: async (...manifests) => {
      for (const manifest of manifests) await loadOne(manifest);
    },
    settle: world.settle,
  };
}
