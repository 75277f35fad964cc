import { asList, asObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { webhookFieldEntries } from '../../../machinery/meta/webhook-fields.ts';
import type { WebhookSpec } from '../../stubs/webhook-spec.ts';
import type { LoadedManifest } from '../format.ts';
import { configurationFields } from '../schema/webhook-schema.ts';
import { readBehaviours } from './behaviours.ts';
import { readFaults } from './faults.ts';
import type { Located } from './located.ts';
import type { Problems } from './problems.ts';
import type { Reading } from './reading.ts';
import { readRules } from './rules.ts';
import { scalarText } from './scalar-text.ts';

/** An entry of `webhooks`. */
export async function readWebhook(at: Located, reading: Reading): Promise<WebhookSpec> {
  const { name, configuration, type } = asObject(at.value);
  const own = typeof type === 'string' ? scalarText(configuration ?? name) : configuration;
  return {
    name: scalarText(name),
    ...(typeof own === 'string' ? { configuration: own } : {}),
    does: [],
    faults: [],
    ...(await readBackend(at, reading)),
  };
}

/** What is behind a webhook: `does`, `faults` and `to`, where they are there. */
export async function readBackend(
  at: Located,
  reading: Reading,
): Promise<Partial<Pick<WebhookSpec, 'does' | 'faults' | 'to'>>> {
  const does = at.get('does');
  const faults = at.get('faults');
  const to = at.get('to');
  if (to && does) reading.problems.at(to, 'a real webhook and what a stub does exclude each other: leave out one');
  if (to && !URL.canParse(scalarText(to.value))) {
    reading.problems.at(to, `${JSON.stringify(to.value)} is not a URL such as http://127.0.0.1:8400/validate`);
  }
  return {
    ...(does ? { does: await readBehaviours(does, reading) } : {}),
    ...(faults ? { faults: readFaults(faults, reading.problems) } : {}),
    ...(to ? { to: scalarText(to.value) } : {}),
  };
}

/** The configurations that webhooks bring along with `type`; several of one name and type are one. */
export function ownConfigurations(webhooks: readonly Located[], problems: Problems): readonly LoadedManifest[] {
  const made = new Map<string, LoadedManifest>();
  for (const at of webhooks) {
    const { type, name, configuration = name } = asObject(at.value);
    if (typeof type !== 'string') {
      refuseConfigurationFields(at, problems);
      continue;
    }
    const key = `${type} ${scalarText(configuration)}`;
    const before = asList(made.get(key)?.object['webhooks']);
    const webhook = configurationEntry(at, problems);
    made.set(key, {
      place: made.get(key)?.place ?? at.place,
      object: configurationOf(type, scalarText(configuration), [...before, webhook]),
    });
  }
  return [...made.values()];
}

function refuseConfigurationFields(at: Located, problems: Problems): void {
  for (const [name, field] of at.entries()) {
    if (name !== 'rules' && !Object.hasOwn(configurationFields, name)) continue;
    problems.at(
      field,
      'belongs to the configuration: put it there, or add type: mutating or validating to make one',
      'at-key',
    );
  }
}

const configurationOf = (type: string, name: string, webhooks: JsonObject['webhooks']): JsonObject => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
  metadata: { name },
  webhooks: webhooks ?? [],
});

function configurationEntry(at: Located, problems: Problems): JsonObject {
  const { name, type, ...others } = asObject(at.value);
  const rules = at.get('rules');
  if (!rules) problems.at(at, 'rules are missing: what shall it be called for? rules: pods, for example');
  for (const [field, { isOfMutatingOnly }] of webhookFieldEntries) {
    const given = isOfMutatingOnly && type === 'validating' ? at.get(field) : undefined;
    if (given) problems.at(given, 'only mutating webhooks have one', 'at-key');
  }
  const fields = Object.entries(others).filter(([field]) => Object.hasOwn(configurationFields, field));
  return {
    name: scalarText(name),
    clientConfig: { service: { namespace: 'default', name: 'webhooks', path: `/${scalarText(name)}` } },
    rules: readRules(rules, problems),
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...Object.fromEntries(fields),
  };
}
