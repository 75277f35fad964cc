import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { webhookFields } from '../../../machinery/meta/webhook-fields.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { createSeededRandom, shuffle } from '../../stubs/seeded-random.ts';
import type { LoadedManifest, MatrixAxis, MatrixChange } from '../format.ts';
import { readFaults } from './faults.ts';
import type { Located } from './located.ts';
import { readScenarioManifests } from './manifests.ts';
import type { ScenarioReader } from './problems.ts';
import { scalarText } from './scalar-text.ts';
import { readStubBackend } from './webhooks.ts';
import { permutations } from '../../../machinery/lists.ts';

type AxisValue = MatrixAxis['values'][number];

/** Expands the short forms. `load` has the scenario's configurations. */
export async function readMatrix(
  at: Located | undefined,
  load: readonly LoadedManifest[],
  reading: ScenarioReader,
): Promise<readonly MatrixAxis[]> {
  const configurations = mutatingConfigurations(load);
  const axes: MatrixAxis[] = [];
  for (const [name, field] of at?.entries() ?? []) {
    axes.push({ name, values: await readAxis(name, field, { configurations, reading }) });
  }
  const runs = axes.reduce((product, { values }) => product * values.length, 1);
  if (at && runs > maxRuns) reading.problems.at(at, `has ${runs} combinations; ${maxRuns} is the most`);
  return axes;
}

const maxRuns = 10_000;

interface Axis {
  readonly configurations: readonly string[];
  readonly reading: ScenarioReader;
}

async function readAxis(name: string, at: Located, axis: Axis): Promise<readonly AxisValue[]> {
  if (at.value === 'all') return readAllOrders(at, axis);
  if (!Array.isArray(at.value)) {
    const values: AxisValue[] = [];
    for (const [value, field] of at.entries()) values.push({ name: value, change: await readChange(field, axis) });
    return values;
  }
  return at.items().map((item) => shortValue(name, item, axis));
}

function shortValue(axis: string, at: Located, { configurations, reading }: Axis): AxisValue {
  if (axis === 'order') return orderValue(readOrder(at, { configurations, reading }));
  if (axis === 'policySeed') return { name: scalarText(at.value), change: { policySeed: Number(at.value) } };
  if (axis === 'kubernetesVersion') {
    return { name: scalarText(at.value), change: { kubernetesVersion: scalarText(at.value) } };
  }
  if (axis === 'failurePolicy') {
    const failurePolicy = scalarText(at.value);
    return { name: failurePolicy, change: { webhooks: [{ name: '*', fields: { failurePolicy } }] } };
  }
  const faults = at.value === 'none' ? [] : readFaults(at, reading.problems);
  return { name: valueName(at), change: { webhooks: [{ name: '*', faults }] } };
}

const orderValue = (order: readonly string[]): AxisValue => ({ name: order.join(' < '), change: { order } });

/** `hang`, or `status 503`. */
const valueName = (at: Located): string =>
  typeof at.value === 'string'
    ? at.value
    : at
        .entries()
        .map(([name, { value }]) =>
          value === true ? name : `${name} ${typeof value === 'object' ? JSON.stringify(value) : scalarText(value)}`,
        )
        .join(' ');

function readOrder(at: Located, { configurations, reading }: Axis): readonly string[] {
  for (const item of at.items()) {
    const name = scalarText(item.value);
    if (configurations.includes(name)) continue;
    reading.problems.at(item, `there is no mutating configuration ${name}${didYouMean(name, configurations)}`);
  }
  return at.items().map(({ value }) => scalarText(value));
}

/** A note says when only a sample is tried. */
function readAllOrders(at: Located, { configurations, reading }: Axis): readonly AxisValue[] {
  if (configurations.length < 2) {
    reading.problems.at(at, 'there is one order only: fewer than two mutating configurations are loaded');
    return [];
  }
  const { tried, possible } = matrixOrders(configurations);
  if (tried.length < possible) {
    const many = `${configurations.length} mutating configurations have ${possible} orders`;
    reading.notes?.(`order: all: ${many}; ${tried.length} of them are tried, always the same`);
  }
  return tried.map(orderValue);
}

async function readChange(at: Located, { configurations, reading }: Axis): Promise<MatrixChange> {
  const order = at.get('order');
  const load = at.get('load');
  const policySeed = at.get('policySeed');
  const version = at.get('kubernetesVersion');
  const webhooks = at.get('webhooks');
  const changes: NonNullable<MatrixChange['webhooks']>[number][] = [];
  for (const [name, field] of webhooks?.entries() ?? []) {
    const { does, faults } = await readStubBackend(field, reading);
    const fields = configurationFields(asObject(field.value));
    changes.push({ name, ...(does ? { does } : {}), ...(faults ? { faults } : {}), ...(fields ? { fields } : {}) });
  }
  return {
    ...(order ? { order: readOrder(order, { configurations, reading }) } : {}),
    ...(policySeed ? { policySeed: Number(policySeed.value) } : {}),
    ...(version ? { kubernetesVersion: scalarText(version.value) } : {}),
    ...(load ? { load: readScenarioManifests(load, reading) } : {}),
    ...(webhooks ? { webhooks: changes } : {}),
  };
}

function configurationFields(fields: JsonObject): JsonObject | undefined {
  const entries = Object.entries(fields).filter(([name]) => Object.hasOwn(webhookFields, name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const mutatingConfigurations = (load: readonly LoadedManifest[]): readonly string[] =>
  load
    .filter(({ object }) => object['kind'] === 'MutatingWebhookConfiguration')
    .map(({ object }) => asString(valueAt(object, 'metadata', 'name')))
    .toSorted((a, b) => (a < b ? -1 : 1));

/** The tried orders, and how many are possible. */
interface Orders {
  readonly tried: readonly (readonly string[])[];
  readonly possible: bigint;
}

/** All orders of five names. */
const maxTried = 120;

/** The sample is always the same. */
const seed = 1;

/**
 * All orders, or a sample of 120: as given, reversed, each name first and last (so that every pair is tried both ways), and random ones.
 */
export function matrixOrders(names: readonly string[]): Orders {
  const possible = names.reduce((product, _name, index) => product * BigInt(index + 1), 1n);
  return { possible, tried: possible <= maxTried ? permutations(names) : sampleOrders(names) };
}

function sampleOrders(names: readonly string[]): Orders['tried'] {
  const without = (name: string): readonly string[] => names.filter((other) => other !== name);
  const chosen = [names, names.toReversed(), ...names.map((name) => [name, ...without(name)])];
  const drawn = new Map([...chosen, ...names.map((name) => [...without(name), name])].map(keyedOrder));
  const random = createSeededRandom(seed);
  while (drawn.size < maxTried) drawn.set(...keyedOrder(shuffle(names, random)));
  return [...drawn.values()].slice(0, maxTried);
}

const keyedOrder = (order: readonly string[]): [string, readonly string[]] => [order.join('\n'), order];
