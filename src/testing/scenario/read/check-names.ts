import { asString, valueAt } from '../../../machinery/json/json.ts';
import { converterName } from '../../stubs/answer-conversion.ts';
import type { LoadedManifest, Scenario } from '../format.ts';
import { knownWebhooksOf } from '../known-webhooks.ts';
import type { Located } from './located.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import type { Problems } from './problems.ts';
import { scalarText } from './scalar-text.ts';

interface KnownNames {
  /** From loaded configurations and those that steps store. */
  readonly webhooks: ReadonlySet<string>;
  /** `CONFIGURATION/NAME` */
  readonly withConfiguration: ReadonlySet<string>;
  readonly configurations: ReadonlySet<string>;
}

/** Finds names without a target: a webhook in no configuration, an unknown axis or value of the matrix. */
export function checkNames(root: Located, scenario: Scenario, problems: Problems): void {
  const known = knownNames(scenario);
  const check = (at: Located, name: string): void => {
    if (!known.webhooks.has(name) && !known.withConfiguration.has(name)) problems.at(at, unknownWebhook(name, known));
  };
  for (const item of root.get('webhooks')?.items() ?? []) {
    checkNameField(item, check);
    const configuration = item.get('configuration');
    if (configuration && !known.configurations.has(scalarText(configuration.value))) {
      problems.at(configuration, unknownConfiguration(scalarText(configuration.value), known));
    }
  }
  for (const step of root.get('steps')?.items() ?? []) {
    checkConfigure(step, scenario, problems);
    checkExpectedWebhooks(step.get('expect'), check);
    checkWhen(step.get('when'), scenario, problems);
  }
}

type Check = (at: Located, name: string) => void;

function checkNameField(item: Located, check: Check): void {
  const name = item.get('name');
  if (name) check(name, scalarText(name.value));
}

function checkExpectedWebhooks(expect: Located | undefined, check: Check): void {
  const webhooks = expect?.get('webhooks');
  for (const item of webhooks?.items() ?? []) checkNameField(item, check);
  for (const [name, field] of webhooks?.entries() ?? []) check(field, name);
  for (const item of expect?.get('order')?.items() ?? []) check(item, scalarText(item.value));
}

function checkConfigure(step: Located, { webhooks, converters = [] }: Scenario, problems: Problems): void {
  const at = step.get('configure');
  if (at === undefined) return;
  const names = webhooks.flatMap(({ name, configuration }) =>
    configuration === undefined ? [name] : [name, `${configuration}/${name}`],
  );
  const name = scalarText(at.value);
  if (names.includes(name) || converters.some((one) => one.name === converterName(name))) return;
  problems.at(at, `no webhook ${name} in webhooks${didYouMean(name, names)}`);
}

function checkWhen(at: Located | undefined, { matrix }: Scenario, problems: Problems): void {
  for (const [name, field] of at?.entries() ?? []) {
    const axis = matrix.find((one) => one.name === name);
    const axes = matrix.map((one) => one.name);
    if (!axis) {
      problems.at(field, `the matrix has no axis ${name}${didYouMean(name, axes)}`, 'at-key');
      continue;
    }
    const values = axis.values.map((one) => one.name);
    for (const item of Array.isArray(field.value) ? field.items() : [field]) {
      const value = scalarText(item.value);
      if (!values.includes(value)) problems.at(item, `${name} has no value ${value}${didYouMean(value, values)}`);
    }
  }
}

function unknownWebhook(name: string, { webhooks, withConfiguration }: KnownNames): string {
  if (webhooks.size === 0) {
    return `no webhook ${name}, since no configuration is loaded: add one to load, or type: mutating or validating here`;
  }
  const hint = didYouMean(name, name.includes('/') ? withConfiguration : webhooks);
  return `no webhook ${name} in the configurations${hint || `; there is ${[...webhooks].slice(0, 5).join(', ')}`}`;
}

const unknownConfiguration = (name: string, { configurations }: KnownNames): string =>
  `no webhook configuration ${name} is loaded${didYouMean(name, configurations)}`;

/** From what is loaded, what combinations load and what steps write. */
function knownNames({ load, steps, matrix }: Scenario): KnownNames {
  const written = steps.flatMap(({ action }) =>
    action.type === 'create' || action.type === 'update' || action.type === 'apply' ? [action.object] : [],
  );
  const besides = matrix.flatMap(({ values }) => values.flatMap(({ change }) => change.load ?? []));
  const objects = [...load, ...besides].map(({ object }: LoadedManifest) => object);
  const configurations = [...objects, ...written].filter(({ kind }) => asString(kind).endsWith('WebhookConfiguration'));
  const webhooks = configurations.flatMap((object) => knownWebhooksOf(object));
  return {
    webhooks: new Set(webhooks.map(({ name }) => name)),
    withConfiguration: new Set(webhooks.map(({ name, configuration }) => `${configuration}/${name}`)),
    configurations: new Set(configurations.map((object) => asString(valueAt(object, 'metadata', 'name')))),
  };
}
