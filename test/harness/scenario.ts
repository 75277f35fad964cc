import { existsSync, readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import { createStubRegistry } from '../../src/testing/stubs/stub-registry.ts';
import type { WebhookSpec } from '../../src/testing/stubs/webhook-spec.ts';
import type { Goldens } from '../../src/testing/scenario/expect/golden-text.ts';
import type {
  StepAction,
  Expectation,
  LoadedManifest,
  Scenario,
  ScenarioStep,
  WebhookExpectation,
} from '../../src/testing/scenario/format.ts';
import type { ScenarioOutcome } from '../../src/testing/scenario/outcome.ts';
import { type RunOptions, runScenario } from '../../src/testing/scenario/run.ts';
import { noExpectation } from '../../src/testing/scenario/read/expectation.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';

export const here = { file: 'scenario.yaml', line: 1, column: 1 };

/** An expectation of a step; omitted fields are not compared. */
export const expecting = (change: Partial<Expectation>): Expectation => ({
  ...noExpectation,
  place: here,
  outcome: undefined,
  ...change,
});

const noWebhookExpectation: Omit<WebhookExpectation, 'name'> = {
  place: here,
  configuration: undefined,
  outcome: undefined,
  because: undefined,
  round: undefined,
  times: undefined,
  patch: undefined,
  phase: undefined,
  error: undefined,
  warnings: undefined,
  auditAnnotations: undefined,
};

export const expectWebhook = (name: string, change: Partial<WebhookExpectation> = {}): WebhookExpectation => ({
  ...noWebhookExpectation,
  name,
  ...change,
});

/** A step with this action and its expectation. */
export const step = (
  action: StepAction,
  expect: Partial<Expectation> = {},
  change: Partial<ScenarioStep> = {},
): ScenarioStep => ({
  name: action.type,
  place: here,
  action,
  as: undefined,
  dryRun: false,
  expect: expecting(expect),
  only: [],
  when: {},
  ...change,
});

export const manifest = (object: JsonObject): LoadedManifest => ({ object, place: here });

export const scenarioOf = (change: Partial<Scenario>): Scenario => ({
  name: 'a scenario',
  description: '',
  file: 'scenario.yaml',
  folder: '.',
  clock: 'virtual',
  seed: 1,
  controllers: ['*'],
  nodes: 0,
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  authorizationMode: 'RBAC',
  load: [],
  webhooks: [],
  steps: [],
  matrix: [],
  ...change,
});

const noGoldens: Goldens = { read: () => undefined, write: undefined };

/** The golden files of scenarios/. */
export const goldens: Goldens = {
  read: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined),
  write: undefined,
};

export const runOptions = (change: Partial<RunOptions> = {}): RunOptions => ({
  newStubRegistry: createStubRegistry,
  on: 'kadmit',
  now: () => performance.now(),
  goldens: noGoldens,
  combination: '',
  ...change,
});

/** Runs a scenario in its own worlds and closes them. */
export async function play(scenario: Partial<Scenario>, options: Partial<RunOptions> = {}): Promise<ScenarioOutcome> {
  const worlds = createWorlds((bug) => {
    throw bug;
  });
  try {
    return await runScenario(scenarioOf(scenario), worlds, runOptions(options));
  } finally {
    await worlds.close();
  }
}

/** A webhook; by default it allows everything. */
export const webhook = (name: string, change: Partial<WebhookSpec> = {}): WebhookSpec => ({
  name,
  does: [],
  faults: [],
  ...change,
});

/** The failures of all steps, as `what: message`. */
export const failuresOf = ({ steps }: ScenarioOutcome): readonly string[] =>
  steps.flatMap(({ failures }) => failures.map(({ what, message }) => `${what}: ${message}`));

/** A webhook configuration; by default its rules match all ConfigMaps. */
export const configuration = (
  kind: 'Mutating' | 'Validating',
  name: string,
  webhooks: readonly JsonObject[],
): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name },
  webhooks: webhooks.map((webhook) => ({
    clientConfig: { url: 'https://webhook.invalid/' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...webhook,
  })),
});

export const configMap = (name: string, change: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...change,
});
