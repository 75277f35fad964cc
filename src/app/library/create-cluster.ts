import type { Cluster } from './cluster.ts';
import type { WebhookRegistry } from './webhook-registry.ts';
import { createConverters } from './converters.ts';
import type { ObjectLike } from './client.ts';
import { createWebhooks } from './webhooks.ts';
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
import { type TraceQuery, type TraceFilter, type Traces, type TraceWithShortcuts, withShortcuts } from './traces.ts';
import { coverageOf } from '../../explain/trace/coverage.ts';
import { valueAt } from '../../machinery/json/json.ts';

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

const defaultTimeoutMs = 5000;

/** Waits use the world's clock. */
export function createTraces(log: TraceLog, { clock, drive }: Pick<Time, 'clock' | 'drive'>): Traces {
  let cleared = 0;
  const all = (filter: TraceFilter = {}): readonly TraceWithShortcuts[] => {
    return log
      .since(cleared)
      .flatMap(({ id }) => log.get(id) ?? [])
      .map(withShortcuts)
      .filter(createFilter(filter));
  };
  const find = (filter?: TraceFilter): TraceWithShortcuts | undefined => all(filter).at(-1);
  const arrival = (filter: TraceFilter | undefined, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const stop = log.onRecorded(() => {
        if (find(filter)) resolve();
      });
      signal.addEventListener('abort', stop, { once: true });
    });
  const arrivalWithin = async (filter: TraceFilter | undefined, milliseconds: number): Promise<void> => {
    const over = new AbortController();
    await drive(Promise.race([arrival(filter, over.signal), clock.sleep(milliseconds, over.signal)]));
    over.abort();
  };
  return {
    all,
    find,
    last: (filter) => find(filter) ?? throwNoWrite(filter, all(), ''),
    wait: async (filter, { timeoutMs = defaultTimeoutMs } = {}) => {
      if (!find(filter)) await arrivalWithin(filter, timeoutMs);
      return find(filter) ?? throwNoWrite(filter, all(), ` within ${timeoutMs} ms`);
    },
    coverage: (filter) => coverageOf(all(filter)),
    clear: () => {
      cleared = log.list(1)[0]?.sequence ?? cleared;
    },
  };
}

function throwNoWrite(filter: TraceFilter = {}, all: readonly TraceWithShortcuts[], when: string): never {
  const wanted = typeof filter === 'function' ? 'that matches the function' : JSON.stringify(filter);
  const last = all
    .slice(-10)
    .map(({ request: { verb, path, dryRun } }) => `${verb} ${path}${dryRun ? ' (dry run)' : ''}`);
  const rest = last.length === 0 ? 'there was no write' : `the last writes were ${last.join(', ')}`;
  throw new Error(`no write ${wanted}${when}; ${rest}`);
}

/** User agent of kadmit's controllers. */
const controllerAgent = 'kube-controller-manager';

function createFilter(filter: TraceFilter): (trace: TraceWithShortcuts) => boolean {
  const matches =
    typeof filter === 'function' ? filter : (trace: TraceWithShortcuts): boolean => matchesQuery(filter, trace);
  const isControllerWanted = typeof filter !== 'function' && filter.user !== undefined;
  return (trace) => (isControllerWanted || trace.request.userAgent !== controllerAgent) && matches(trace);
}

function matchesQuery({ user, verdict, called, ...request }: TraceQuery, trace: TraceWithShortcuts): boolean {
  if (user !== undefined && valueAt(trace.request.user ?? {}, 'username') !== user) return false;
  if (verdict !== undefined && trace.verdict !== verdict) return false;
  if (called !== undefined && !trace.called.includes(called)) return false;
  const fields: Readonly<Record<string, unknown>> = { ...trace.request };
  return Object.entries(request).every(([field, value]) => value === undefined || fields[field] === value);
}
