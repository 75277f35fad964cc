import { ConfigError } from '../../adapters/config/config-error.ts';
import { coverageOf } from '../../explain/trace/coverage.ts';
import type { TraceLog } from '../../explain/trace/trace-log.ts';
import { errorText } from '../../machinery/errors.ts';
import { valueAt } from '../../machinery/json/json.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { notADefinitionText } from '../../machinery/meta/removed-apis.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { didYouMean } from '../../machinery/nearest-name.ts';
import { conversionBy, converterName } from '../../testing/stubs/answer-conversion.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import type { OpenWorld } from '../in-process/open-world.ts';
import type { Time } from '../in-process/time.ts';
import { checkFaults } from './check-webhook.ts';
import type { Cluster, Manifest } from './cluster.ts';
import type { ConversionReview } from './converter.ts';
import { createClient } from './create-client.ts';
import { createWebhooks, type WebhookParts } from './create-webhooks.ts';
import type { ObjectLike } from './objects.ts';
import type { Contents } from './options.ts';
import { registerFunction } from './register-function.ts';
import { withShortcuts, type TraceWithShortcuts } from './trace-with-shortcuts.ts';
import type { TraceFilter, TraceQuery, Traces } from './traces.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

export interface ClusterParts {
  /** The world as it is now: `reset` may replace it. */
  readonly world: Pick<
    OpenWorld,
    'send' | 'resourceOf' | 'findResource' | 'settle' | 'loadPaths' | 'installDefinitions'
  >;
  readonly board: WebhookRegistry;
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

const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

/** Functions as converters of stored definitions, on this board. */
function createConverters({ board, client, stored }: WebhookParts): Pick<Cluster, 'converter'> {
  const setConversion = (name: string, conversion: object): Promise<object> =>
    client.patch('customresourcedefinitions', { name }, { spec: { conversion } });
  return {
    converter: async (definition, convert, { faults = [] } = {}) => {
      const isAsked = callsConverter(storedDefinition(definition, stored()));
      if (typeof convert !== 'function') throw new ConfigError(`converter ${definition}: a function must convert`);
      checkConverterFaults(definition, faults);
      if (!isAsked) await setConversion(definition, conversionBy(definition));
      const place = { name: converterName(definition), faults };
      const registered = registerFunction<ConversionReview>(board, place, convert);
      return {
        definition,
        calls: registered.calls,
        errors: registered.errors,
        setFaults: (changed) => {
          checkConverterFaults(definition, changed);
          registered.setFaults(changed);
        },
        remove: async () => {
          registered.remove();
          if (!isAsked) await setConversion(definition, { strategy: 'None', webhook: null });
        },
      };
    },
  };
}

const callsConverter = (definition: KubernetesObject): boolean =>
  valueAt(definition, 'spec', 'conversion', 'strategy') === 'Webhook';

/** Throws ConfigError when there is none of this name. */
function storedDefinition(name: string, cluster: ClusterView): KubernetesObject {
  const definition = cluster.get(definitions, '', name);
  if (definition) return definition;
  const names = cluster.list(definitions).map((one) => metadataOf(one).name ?? '');
  const near = didYouMean(name, names) || '; load it first';
  throw new ConfigError(`there is no CustomResourceDefinition ${JSON.stringify(name)}${near}`);
}

function checkConverterFaults(definition: string, faults: readonly Fault[]): void {
  checkFaults(definition, faults);
  if (faults.some(({ what }) => what.type === 'bad-patch')) {
    throw new ConfigError(`converter ${definition}: a converter sends no patch that could be bad`);
  }
}

const patienceMs = 5000;

/** The traces in this log; waits pass on the world's time. */
function createTraces(log: TraceLog, { clock, drive }: Pick<Time, 'clock' | 'drive'>): Traces {
  let forgotten = 0;
  const all = (filter: TraceFilter = {}): readonly TraceWithShortcuts[] => {
    const kept = log.since(forgotten).flatMap(({ id }) => log.get(id) ?? []);
    return kept.map(withShortcuts).filter(wantedBy(filter));
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
    last: (filter) => find(filter) ?? missing(filter, all(), ''),
    wait: async (filter, { timeoutMs = patienceMs } = {}) => {
      if (!find(filter)) await arrivalWithin(filter, timeoutMs);
      return find(filter) ?? missing(filter, all(), ` within ${timeoutMs} ms`);
    },
    coverage: (filter) => coverageOf(all(filter)),
    clear: () => {
      forgotten = log.list(1)[0]?.sequence ?? forgotten;
    },
  };
}

function missing(filter: TraceFilter = {}, all: readonly TraceWithShortcuts[], when: string): never {
  const wanted = typeof filter === 'function' ? 'for which the function holds' : JSON.stringify(filter);
  const seen = all
    .slice(-10)
    .map(({ request: { verb, path, dryRun } }) => `${verb} ${path}${dryRun ? ' (dry run)' : ''}`);
  const rest = seen.length === 0 ? 'there was no write' : `the last writes were ${seen.join(', ')}`;
  throw new Error(`no write ${wanted} was seen${when}; ${rest}`);
}

/** How the controllers inside kadmit call themselves. */
const controllerAgent = 'kube-controller-manager';

function wantedBy(filter: TraceFilter): (trace: TraceWithShortcuts) => boolean {
  const matches =
    typeof filter === 'function' ? filter : (trace: TraceWithShortcuts): boolean => answersTo(filter, trace);
  const isControllerWanted = typeof filter !== 'function' && filter.user !== undefined;
  return (trace) => (isControllerWanted || trace.request.userAgent !== controllerAgent) && matches(trace);
}

function answersTo({ user, verdict, called, ...request }: TraceQuery, trace: TraceWithShortcuts): boolean {
  if (user !== undefined && valueAt(trace.request.user ?? {}, 'username') !== user) return false;
  if (verdict !== undefined && trace.verdict !== verdict) return false;
  if (called !== undefined && !trace.called.includes(called)) return false;
  const asked: Readonly<Record<string, unknown>> = { ...trace.request };
  return Object.entries(request).every(([field, value]) => value === undefined || asked[field] === value);
}
