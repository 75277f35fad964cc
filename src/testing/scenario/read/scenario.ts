import { asObject, isJsonObject } from '../../../machinery/json/json.ts';
import type { WebhookSpec } from '../../stubs/webhook-spec.ts';
import type { LoadedManifest, Scenario, ScenarioStep } from '../format.ts';
import type { WorldAssumption } from '../world.ts';
import { readApiFaults } from './faults.ts';
import { checkNames } from './check-names.ts';
import { inLoadingOrder } from '../loading-order.ts';
import { readDefinitions, readScenarioManifests, withConverters } from './manifests.ts';
import type { Located } from './located.ts';
import { readMatrix } from './matrix.ts';
import type { ScenarioReader } from './problems.ts';
import { scalarFields } from './scalar-text.ts';
import { readSteps } from './step.ts';
import { ownConfigurations, readConverter, readWebhook } from './webhooks.ts';
import type { PluginScript } from '../../stubs/load-plugin.ts';

/** `origin`: where it was read from; its own name replaces that one. */
export async function readScenario(
  root: Located,
  origin: Pick<Scenario, 'name' | 'file' | 'folder'>,
  reading: ScenarioReader,
): Promise<Scenario> {
  const fields = asObject(root.value);
  const webhooks = await readSpecs(root.get('webhooks'), readWebhook, reading);
  const steps: ScenarioStep[] = [];
  for (const item of root.get('steps')?.items() ?? []) steps.push(...(await readSteps(item, reading)));
  const converters = await readSpecs(root.get('converters'), readConverter, reading);
  const load = readLoad(root, reading);
  const matrix = await readMatrix(root.get('matrix'), load, reading);
  const { name, description, clock, seed, server } = fields;
  const scenario: Scenario = {
    ...origin,
    name: typeof name === 'string' ? name : origin.name,
    description: typeof description === 'string' ? description : '',
    clock: clock === 'real' || clock === 'virtual' ? clock : defaultClock([...webhooks, ...converters]),
    seed: typeof seed === 'number' ? seed : 1,
    ...readServer((server ?? {}) as WrittenServer),
    load,
    webhooks,
    converters,
    plugins: await readPlugins(root.get('plugins'), reading),
    apiFaults: readApiFaults(root.get('apiFaults'), reading.problems),
    steps,
    matrix,
  };
  checkNames(root, scenario, reading.problems);
  return scenario;
}

async function readSpecs(
  at: Located | undefined,
  read: (item: Located, reading: ScenarioReader) => Promise<WebhookSpec>,
  reading: ScenarioReader,
): Promise<readonly WebhookSpec[]> {
  const specs: WebhookSpec[] = [];
  for (const item of at?.items() ?? []) specs.push(await read(item, reading));
  return specs;
}

function readLoad(root: Located, reading: ScenarioReader): readonly LoadedManifest[] {
  const loaded = inLoadingOrder([
    ...readNamespaces(root.get('namespaces')),
    ...readDefinitions(root.get('crds'), reading),
    ...readManifests(root.get('load'), reading),
    ...ownConfigurations(root.get('webhooks')?.items() ?? [], reading.problems),
  ]);
  return withConverters(loaded, root.get('converters')?.items() ?? [], reading.problems);
}

/** Real webhooks need real time. */
const defaultClock = (webhooks: readonly WebhookSpec[]): Scenario['clock'] =>
  webhooks.some(({ to }) => to !== undefined) ? 'real' : 'virtual';

const readManifests = (at: Located | undefined, reading: ScenarioReader): readonly LoadedManifest[] =>
  at === undefined ? [] : readScenarioManifests(at, reading);

const readNamespaces = (at: Located | undefined): readonly LoadedManifest[] =>
  (at?.entries() ?? []).map(([name, field]) => ({
    place: field.keyPlace,
    object: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, ...(isJsonObject(field.value) ? { labels: scalarFields(field.value) } : {}) },
    },
  }));

/** check-schema.ts has checked its fields. */
type WrittenServer = Partial<
  Pick<
    Scenario,
    'controllers' | 'nodes' | 'enableAdmissionPlugins' | 'disableAdmissionPlugins' | 'authorizationMode' | 'policySeed'
  >
> & {
  readonly kubernetesVersion?: string | number;
  readonly assume?: Readonly<Record<string, WorldAssumption['verdict']>>;
};

function readServer({ kubernetesVersion, assume, ...server }: WrittenServer) {
  return {
    controllers: ['*'],
    nodes: 0,
    enableAdmissionPlugins: [],
    disableAdmissionPlugins: [],
    authorizationMode: 'AlwaysAllow' as const,
    ...server,
    ...(kubernetesVersion !== undefined && { kubernetesVersion: String(kubernetesVersion) }),
    ...(assume && { assume: Object.entries(assume).map(([webhook, verdict]) => ({ webhook, verdict })) }),
  };
}

/** A file or a list of files. Loading a plugin runs it. */
async function readPlugins(
  at: Located | undefined,
  { files, problems }: ScenarioReader,
): Promise<readonly PluginScript[]> {
  const plugins: PluginScript[] = [];
  for (const item of at === undefined || Array.isArray(at.value) ? (at?.items() ?? []) : [at]) {
    const file = files.find(item, problems);
    if (file === undefined) continue;
    const others = plugins.map(({ plugin }) => plugin);
    const loading = await files.loadPlugin(file, others);
    if (loading.outcome === 'loaded') plugins.push(loading);
    if (loading.outcome === 'unloadable') problems.at(item, loading.error);
  }
  return plugins;
}
