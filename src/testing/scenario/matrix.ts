import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import type {
  StepAction,
  Expectation,
  LoadedManifest,
  MatrixAxis,
  MatrixChange,
  Scenario,
  ScenarioStep,
} from './format.ts';
import { isConfiguration, nameOf } from './known-webhooks.ts';

/** A scenario, or one combination of its matrix. */
export interface Combination {
  /** `order=b-first, fault=hang`; '' without a matrix. */
  readonly combination: string;
  readonly scenario: Scenario;
}

type Choice = { readonly axis: string; readonly value: MatrixAxis['values'][number] };

/** One run per combination of axis values, the last axis changing fastest. */
export function combinationsOf(scenario: Scenario): readonly Combination[] {
  const choices = scenario.matrix.reduce<readonly (readonly Choice[])[]>(
    (rows, { name, values }) => rows.flatMap((row) => values.map((value) => [...row, { axis: name, value }])),
    [[]],
  );
  return choices.map((row) => ({
    combination: row.map(({ axis, value }) => `${axis}=${value.name}`).join(', '),
    scenario: applyChoices(scenario, row),
  }));
}

function applyChoices(scenario: Scenario, row: readonly Choice[]): Scenario {
  const steps = scenario.steps.filter(({ when }) => runsWith(when, row));
  const all = row.reduce<Scenario>((current, { value }) => withChange(current, value.change), {
    ...scenario,
    steps,
    matrix: [],
  });
  const order = row.findLast(({ value }) => value.change.order !== undefined)?.value.change.order;
  return order === undefined ? all : renameInOrder(all, order);
}

const runsWith = (when: ScenarioStep['when'], row: readonly Choice[]): boolean =>
  row.every(({ axis, value }) => when[axis]?.includes(value.name) ?? true);

function withChange(scenario: Scenario, change: MatrixChange): Scenario {
  const { load = [], webhooks = [], policySeed, kubernetesVersion } = change;
  const changes = webhooks.map(({ name, ...rest }) => ({ name, change: rest }));
  return {
    ...scenario,
    ...(policySeed === undefined ? {} : { policySeed }),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    load: [...scenario.load, ...load].map((manifest) => changes.reduce(withFields, manifest)),
    webhooks: scenario.webhooks.map((spec) => changes.reduce(withBehaviour, spec)),
  };
}

interface NamedChange {
  readonly name: string;
  readonly change: Omit<NonNullable<MatrixChange['webhooks']>[number], 'name'>;
}

/** `*` is every webhook; `configuration/name` one of several with that name. */
const matchesWebhookName = (name: string, webhook: string, configuration: string | undefined): boolean =>
  name === '*' || name === webhook || (configuration !== undefined && name === `${configuration}/${webhook}`);

function withBehaviour(spec: WebhookSpec, { name, change }: NamedChange): WebhookSpec {
  if (!matchesWebhookName(name, spec.name, spec.configuration)) return spec;
  const { does = spec.does, faults = spec.faults } = change;
  return { ...spec, does, faults };
}

function withFields(manifest: LoadedManifest, { name, change }: NamedChange): LoadedManifest {
  const { fields } = change;
  if (fields === undefined || !isConfiguration(manifest.object)) return manifest;
  const configuration = asString(asObject(manifest.object['metadata'])['name']);
  const webhooks = asList(manifest.object['webhooks']).map((webhook): JsonObject => {
    const one = asObject(webhook);
    return matchesWebhookName(name, asString(one['name']), configuration) ? { ...one, ...fields } : one;
  });
  return { ...manifest, object: { ...manifest.object, webhooks } };
}

/** New names by old names. */
type Names = ReadonlyMap<string, string>;

/**
 * Renames mutating configurations to `0-NAME`, `1-NAME`, … in manifests, steps and expectations, since upstream calls them by name. An
 * order that sorts already keeps its names.
 */
function renameInOrder(scenario: Scenario, order: readonly string[]): Scenario {
  const sorted = order.toSorted((a, b) => (a < b ? -1 : 1));
  if (order.every((name, index) => name === sorted[index])) return scenario;
  const width = String(order.length - 1).length;
  const names = new Map(order.map((name, index) => [name, `${String(index).padStart(width, '0')}-${name}`]));
  return {
    ...scenario,
    load: scenario.load.map((manifest): LoadedManifest => ({
      ...manifest,
      object: renameConfiguration(manifest.object, names),
    })),
    webhooks: scenario.webhooks.map((spec) => renameSpec(spec, names)),
    steps: scenario.steps.map((step) => renameStep(step, names)),
  };
}

function renameConfiguration(object: JsonObject, names: Names): JsonObject {
  const name = names.get(nameOf(object));
  if (name === undefined || object['kind'] !== 'MutatingWebhookConfiguration') return object;
  return { ...object, metadata: { ...asObject(object['metadata']), name } };
}

/** A validating configuration with that name keeps it; its stub answers for both. */
function renameSpec(spec: WebhookSpec, names: Names): WebhookSpec {
  const configuration = spec.configuration === undefined ? undefined : names.get(spec.configuration);
  return configuration === undefined ? spec : { ...spec, configuration };
}

const renameStep = (step: ScenarioStep, names: Names): ScenarioStep => ({
  ...step,
  action: renameAction(step.action, names),
  expect: renameExpectation(step.expect, names),
});

const mutatingConfigurations = /^mutatingwebhookconfigurations?(\.|$)/i;

function renameAction(action: StepAction, names: Names): StepAction {
  if ('object' in action) return { ...action, object: renameConfiguration(action.object, names) };
  if (action.type === 'configure') return { ...action, webhook: renamePath(action.webhook, names) };
  if (!('target' in action) || action.type === 'deletecollection') return action;
  const { target } = action;
  const name = names.get(target.name);
  if (name === undefined || !mutatingConfigurations.test(target.resource)) return action;
  return { ...action, target: { ...target, name } };
}

const renameExpectation = (expect: Expectation, names: Names): Expectation => ({
  ...expect,
  deniedBy: expect.deniedBy === undefined ? undefined : renamePath(expect.deniedBy, names),
  order: expect.order?.map((name) => renamePath(name, names)),
  webhooks: expect.webhooks.map((webhook) => ({
    ...webhook,
    name: renamePath(webhook.name, names),
    configuration:
      webhook.configuration === undefined || webhook.admission === 'validating'
        ? webhook.configuration
        : (names.get(webhook.configuration) ?? webhook.configuration),
  })),
  object: expect.object && renameConfiguration(expect.object, names),
  exactly: expect.exactly && renameConfiguration(expect.exactly, names),
});

/** `configuration/name` with the new configuration name. */
function renamePath(path: string, names: Names): string {
  const slash = path.indexOf('/');
  const configuration = slash < 0 ? undefined : names.get(path.slice(0, slash));
  return configuration === undefined ? path : `${configuration}${path.slice(slash)}`;
}
