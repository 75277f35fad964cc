import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { asObject, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import type { LoadedManifest, Scenario, ScenarioStep } from './format.ts';
import { readApiFaults } from './read/api-faults.ts';
import { checkNames } from './read/check-names.ts';
import { checkSchema } from './read/check-schema.ts';
import { readTextFile } from './read/files.ts';
import { readConverter, withConverters } from './read/converters.ts';
import { readDefinitions } from './read/definitions.ts';
import { type Located, readLocated } from './read/located.ts';
import { inLoadingOrder, readScenarioManifests } from './read/manifests.ts';
import { readMatrix } from './read/matrix.ts';
import { readPlugins } from './read/plugins.ts';
import { createProblems, type Problem, type ScenarioReader } from './read/problems.ts';
import { readSteps } from './read/step.ts';
import { readUsers } from './read/users.ts';
import { ownConfigurations, readWebhook } from './read/webhooks.ts';
import { scalarFields, scalarText, scalarTexts } from './read/scalar-text.ts';

export type ScenarioLoading = {
  /** All files it was read from or looked for: a change of any may change the result. */
  readonly files: readonly string[];
} & (
  | {
      readonly outcome: 'loaded';
      readonly scenario: Scenario;
      /** It needs a script, which was not loaded: it cannot run. */
      readonly isLacking?: boolean;
      /** For the user, before the run. */
      readonly notes: readonly string[];
    }
  | { readonly outcome: 'unreadable'; readonly problems: readonly Problem[] }
);

export interface LoadScenarioOptions {
  /** Does not load scripts: loading runs them. */
  readonly noScripts?: boolean;
}

/**
 * Reads a scenario.yaml (or that of a folder) and all files it names. Result paths are relative like `path`. Never throws for file content.
 */
export async function loadScenario(
  path: string,
  { noScripts = false }: LoadScenarioOptions = {},
): Promise<ScenarioLoading> {
  const file = isFolder(path) ? join(path, 'scenario.yaml') : path;
  const files = new Set([file]);
  const problems = createProblems();
  const unreadable = (): ScenarioLoading => ({ outcome: 'unreadable', problems: problems.all(), files: [...files] });

  const root = readRoot(file, problems.add);
  if (root) checkSchema(root, problems);
  if (!root || problems.all().length > 0) return unreadable();
  const notes: string[] = [];
  let isLacking = false;
  const scenario = await readScenario(root, file, {
    ...(noScripts ? { needsScript: () => (isLacking = true) } : {}),
    notes: (text) => notes.push(`${file}: ${text}`),
    folder: dirname(file),
    problems,
    uses: (one) => void files.add(one),
    users: readUsers(root.get('users')),
  });
  if (problems.all().length > 0) return unreadable();
  return { outcome: 'loaded', scenario, files: [...files], notes, ...(isLacking ? { isLacking } : {}) };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function readRoot(file: string, complain: (problem: Problem) => void): Located | undefined {
  const top = { file, line: 1, column: 1 };
  const reading = readTextFile(file);
  if (reading.outcome === 'unreadable') {
    complain({ place: top, path: '', message: reading.error });
    return undefined;
  }
  const { documents, problems } = readLocated(file, reading.text);
  for (const problem of problems) complain({ ...problem, path: '' });
  const [root, second] = documents;
  if (second)
    complain({
      place: second.place,
      path: '',
      message: 'one scenario is one document: move this one to a folder of its own',
    });
  if (!root && problems.length === 0)
    complain({ place: top, path: '', message: 'the file is empty: a scenario needs steps' });
  return root;
}

async function readScenario(root: Located, file: string, reading: ScenarioReader): Promise<Scenario> {
  const fields = asObject(root.value);
  const webhooks = await readAll(root.get('webhooks'), readWebhook, reading);
  const steps: ScenarioStep[] = [];
  for (const item of root.get('steps')?.items() ?? []) steps.push(...(await readSteps(item, reading)));
  const converters = await readAll(root.get('converters'), readConverter, reading);
  const load = loadOf(root, reading);
  const matrix = await readMatrix(root.get('matrix'), load, reading);
  const { name, description, clock, seed, server } = fields;
  const scenario: Scenario = {
    name: typeof name === 'string' ? name : basename(resolve(reading.folder)),
    description: typeof description === 'string' ? description : '',
    file,
    folder: reading.folder,
    clock: clock === 'real' || clock === 'virtual' ? clock : defaultClock([...webhooks, ...converters]),
    seed: typeof seed === 'number' ? seed : 1,
    ...readServer(asObject(server)),
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

async function readAll(
  at: Located | undefined,
  read: (item: Located, reading: ScenarioReader) => Promise<WebhookSpec>,
  reading: ScenarioReader,
): Promise<readonly WebhookSpec[]> {
  const specs: WebhookSpec[] = [];
  for (const item of at?.items() ?? []) specs.push(await read(item, reading));
  return specs;
}

function loadOf(root: Located, reading: ScenarioReader): readonly LoadedManifest[] {
  const loaded = inLoadingOrder([
    ...namespacesOf(root.get('namespaces')),
    ...readDefinitions(root.get('crds'), reading),
    ...manifestsOf(root.get('load'), reading),
    ...ownConfigurations(root.get('webhooks')?.items() ?? [], reading.problems),
  ]);
  return withConverters(loaded, root.get('converters')?.items() ?? [], reading.problems);
}

/** Real webhooks need real time. */
const defaultClock = (webhooks: readonly WebhookSpec[]): Scenario['clock'] =>
  webhooks.some(({ to }) => to !== undefined) ? 'real' : 'virtual';

const manifestsOf = (at: Located | undefined, reading: ScenarioReader): readonly LoadedManifest[] =>
  at === undefined ? [] : readScenarioManifests(at, reading);

const namespacesOf = (at: Located | undefined): readonly LoadedManifest[] =>
  (at?.entries() ?? []).map(([name, field]) => ({
    place: field.keyPlace,
    object: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, ...(isJsonObject(field.value) ? { labels: scalarFields(field.value) } : {}) },
    },
  }));

function readServer({
  controllers,
  nodes,
  enableAdmissionPlugins,
  disableAdmissionPlugins,
  authorizationMode,
  assume,
  policySeed,
  kubernetesVersion,
}: JsonObject) {
  return {
    controllers: controllers === undefined ? ['*'] : scalarTexts(controllers),
    nodes: typeof nodes === 'number' ? nodes : 0,
    enableAdmissionPlugins: scalarTexts(enableAdmissionPlugins),
    disableAdmissionPlugins: scalarTexts(disableAdmissionPlugins),
    authorizationMode: authorizationMode === 'RBAC' ? ('RBAC' as const) : ('AlwaysAllow' as const),
    ...(kubernetesVersion !== undefined && { kubernetesVersion: scalarText(kubernetesVersion) }),
    ...(typeof policySeed === 'number' && { policySeed }),
    ...(isJsonObject(assume) && { assume: readAssume(assume) }),
  };
}

/** The schema has checked the words. */
const readAssume = (assume: JsonObject): NonNullable<Scenario['assume']> =>
  Object.entries(assume).map(([webhook, word]) => ({
    webhook,
    verdict: word === 'deny' || word === 'ignore' ? word : 'allow',
  }));
