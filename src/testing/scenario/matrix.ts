import type { WebhookSpec } from '../stubs/webhook-spec.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { LoadedManifest, MatrixAxis, MatrixChange, Scenario, Step } from './format.ts';
import { isConfiguration } from './known-webhooks.ts';
import { inOrder } from './matrix-order.ts';

/** One run of a scenario: the whole of it, or one combination of its matrix. */
export interface Combination {
  /** `order=b-first, fault=hang`; '' without a matrix. */
  readonly combination: string;
  readonly scenario: Scenario;
}

type Choice = { readonly axis: string; readonly value: MatrixAxis['values'][number] };

/** The runs of a scenario: one for each combination of the values of its axes, the last axis changing fastest. */
export function combinationsOf(scenario: Scenario): readonly Combination[] {
  const choices = scenario.matrix.reduce<readonly (readonly Choice[])[]>(
    (rows, { name, values }) => rows.flatMap((row) => values.map((value) => [...row, { axis: name, value }])),
    [[]],
  );
  return choices.map((row) => ({
    combination: row.map(({ axis, value }) => `${axis}=${value.name}`).join(', '),
    scenario: changed(scenario, row),
  }));
}

function changed(scenario: Scenario, row: readonly Choice[]): Scenario {
  const steps = scenario.steps.filter(({ when }) => isFor(when, row));
  const all = row.reduce<Scenario>((current, { value }) => withChange(current, value.change), {
    ...scenario,
    steps,
    matrix: [],
  });
  const order = row.findLast(({ value }) => value.change.order !== undefined)?.value.change.order;
  return order === undefined ? all : inOrder(all, order);
}

/** A step may be for some values of some axes only. */
const isFor = (when: Step['when'], row: readonly Choice[]): boolean =>
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

/** `*` is every webhook; `configuration/name` one of several of that name. */
const isMeant = (name: string, webhook: string, configuration: string | undefined): boolean =>
  name === '*' || name === webhook || (configuration !== undefined && name === `${configuration}/${webhook}`);

function withBehaviour(spec: WebhookSpec, { name, change }: NamedChange): WebhookSpec {
  if (!isMeant(name, spec.name, spec.configuration)) return spec;
  const { does = spec.does, faults = spec.faults } = change;
  return { ...spec, does, faults };
}

function withFields(manifest: LoadedManifest, { name, change }: NamedChange): LoadedManifest {
  const { fields } = change;
  if (fields === undefined || !isConfiguration(manifest.object)) return manifest;
  const configuration = asString(asObject(manifest.object['metadata'])['name']);
  const webhooks = asList(manifest.object['webhooks']).map((webhook): JsonObject => {
    const one = asObject(webhook);
    return isMeant(name, asString(one['name']), configuration) ? { ...one, ...fields } : one;
  });
  return { ...manifest, object: { ...manifest.object, webhooks } };
}
