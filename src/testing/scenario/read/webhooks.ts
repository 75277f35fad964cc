import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { ownValue } from '../../../machinery/meta/object.ts';
import { webhookFieldEntries, webhookFields } from '../../../machinery/meta/webhook-fields.ts';
import { didYouMean } from '../../../machinery/nearest-name.ts';
import { converterName } from '../../stubs/answer-conversion.ts';
import type { Behaviour, WebhookSpec } from '../../stubs/webhook-spec.ts';
import type { LoadedManifest } from '../format.ts';
import { readFaults } from './faults.ts';
import type { Located } from './located.ts';
import type { Problems, ScenarioReader } from './problems.ts';
import { scalarFields, scalarText } from './scalar-text.ts';

export async function readWebhook(at: Located, reading: ScenarioReader): Promise<WebhookSpec> {
  const { name, configuration, type } = asObject(at.value);
  const own = typeof type === 'string' ? scalarText(configuration ?? name) : configuration;
  return {
    name: scalarText(name),
    ...(typeof own === 'string' ? { configuration: own } : {}),
    does: [],
    faults: [],
    ...(await readStubBackend(at, reading)),
  };
}

export async function readConverter(at: Located, reading: ScenarioReader): Promise<WebhookSpec> {
  const name = converterName(scalarText(at.get('definition')?.value));
  const spec: WebhookSpec = { name, does: [], faults: [], ...(await readStubBackend(at, reading)) };
  if (spec.faults.some(({ what }) => what.type === 'bad-patch')) {
    reading.problems.at(at.get('faults') ?? at, 'a converter sends no patch that could be bad');
  }
  return spec;
}

/** Only fields that are present. */
export async function readStubBackend(
  at: Located,
  reading: ScenarioReader,
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

/** Configurations for webhooks with `type`; equal name and type share one. */
export function ownConfigurations(webhooks: readonly Located[], problems: Problems): readonly LoadedManifest[] {
  const configurations = new Map<string, LoadedManifest>();
  for (const at of webhooks) {
    const { type, name, configuration = name } = asObject(at.value);
    if (typeof type !== 'string') {
      refuseConfigurationFields(at, problems);
      continue;
    }
    const key = `${type} ${scalarText(configuration)}`;
    const before = asList(configurations.get(key)?.object['webhooks']);
    const webhook = configurationEntry(at, problems);
    configurations.set(key, {
      place: configurations.get(key)?.place ?? at.place,
      object: configurationOf(type, scalarText(configuration), [...before, webhook]),
    });
  }
  return [...configurations.values()];
}

function refuseConfigurationFields(at: Located, problems: Problems): void {
  for (const [name, field] of at.entries()) {
    if (name !== 'rules' && !Object.hasOwn(webhookFields, name)) continue;
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
  if (!rules) problems.at(at, 'rules are missing: add rules: pods, for example');
  for (const [field, { isOfMutatingOnly }] of webhookFieldEntries) {
    const misplaced = isOfMutatingOnly && type === 'validating' ? at.get(field) : undefined;
    if (misplaced) problems.at(misplaced, 'only mutating webhooks have one', 'at-key');
  }
  const fields = Object.entries(others).filter(([field]) => Object.hasOwn(webhookFields, field));
  return {
    name: scalarText(name),
    clientConfig: { service: { namespace: 'default', name: 'webhooks', path: `/${scalarText(name)}` } },
    rules: readRules(rules, problems),
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...Object.fromEntries(fields),
  };
}

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'];

/** Resources of the core group; no CustomResourceDefinition can add one. */
const coreResources = [
  'bindings',
  'componentstatuses',
  'configmaps',
  'endpoints',
  'events',
  'limitranges',
  'namespaces',
  'nodes',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'serviceaccounts',
  'services',
];

function checkCoreResource(name: string, at: Located, problems: Problems): void {
  if (name === '*' || coreResources.includes(name)) return;
  const hint = didYouMean(name, coreResources) || `; with its group it is ${name}.GROUP, such as deployments.apps`;
  problems.at(at, `no resource without a group is called ${name}${hint}`);
}

/** Short forms: `pods`, `CREATE,DELETE deployments.apps/scale`, `* *`. */
function readRules(at: Located | undefined, problems: Problems): readonly JsonObject[] {
  if (at === undefined) return [];
  const items = Array.isArray(at.value) ? at.items() : [at];
  return items.map((item) => (isJsonObject(item.value) ? item.value : readRule(item, problems)));
}

function readRule(at: Located, problems: Problems): JsonObject {
  const [resource = '', operationsText = 'CREATE,UPDATE', ...others] = scalarText(at.value)
    .trim()
    .split(/\s+/)
    .toReversed();
  const operationNames = readOperations(operationsText, at, problems);
  const [, name = resource, group, subresource = ''] =
    /^(?<name>[^./]+)(?:\.(?<group>[^/]+))?(?<subresource>\/.+)?$/.exec(resource) ?? [];
  if (others.length > 0 || name === '') problems.at(at, 'must be OPERATIONS RESOURCE, such as CREATE,UPDATE pods');
  else if (group === undefined) checkCoreResource(name, at, problems);
  return {
    operations: operationNames,
    apiGroups: [group ?? (name === '*' ? '*' : '')],
    apiVersions: ['*'],
    resources: [`${name}${subresource}`],
  };
}

function readOperations(operationsText: string, at: Located, problems: Problems): readonly string[] {
  const names = operationsText.toUpperCase().split(',');
  for (const operation of names.filter((one) => !operations.includes(one))) {
    problems.at(at, `${operation} is none of ${operations.join(', ')}${didYouMean(operation, operations)}`);
  }
  return names;
}

/** A word, a mapping whose entries are done in order, or a list. */
async function readBehaviours(at: Located | undefined, reading: ScenarioReader): Promise<readonly Behaviour[]> {
  if (at === undefined) return [];
  if (Array.isArray(at.value)) {
    const lists: (readonly Behaviour[])[] = [];
    for (const item of at.items()) lists.push(await readBehaviours(item, reading));
    return lists.flat();
  }
  if (typeof at.value === 'string') return readBehaviour(at.value, true);
  const behaviours: Behaviour[] = [];
  for (const [name, field] of at.entries()) {
    behaviours.push(...(name === 'script' ? await readScript(field, reading) : readBehaviour(name, field.value)));
  }
  return behaviours;
}

const readers: Readonly<Record<string, (value: JsonValue) => Behaviour>> = {
  allow: () => ({ type: 'allow' }),
  deny: (value) => ({ type: 'deny', ...readDenial(value) }),
  label: (value) => ({ type: 'label', labels: scalarFields(value) }),
  annotate: (value) => ({ type: 'annotate', annotations: scalarFields(value) }),
  sidecar: (value) => ({ type: 'sidecar', container: asObject(value), init: false }),
  initContainer: (value) => ({ type: 'sidecar', container: asObject(value), init: true }),
  set: (value) => ({ type: 'set', fields: withNulls(asObject(value)) }),
  patch: (value) => ({ type: 'patch', operations: asList(value).filter(isJsonObject) }),
  warn: (value) => ({ type: 'warn', warnings: Array.isArray(value) ? value.map(scalarText) : [scalarText(value)] }),
  audit: (value) => ({ type: 'audit', annotations: scalarFields(value) }),
  echo: () => ({ type: 'echo' }),
};

function readBehaviour(name: string, value: JsonValue): readonly Behaviour[] {
  const read = ownValue(readers, name);
  return read ? [read(value)] : [];
}

function readDenial(value: JsonValue): { readonly message?: string; readonly code?: number; readonly reason?: string } {
  if (typeof value === 'string') return { message: value };
  const { message, code, reason } = asObject(value);
  return {
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

async function readScript(at: Located, { files, problems }: ScenarioReader): Promise<readonly Behaviour[]> {
  const text = scalarText(at.value);
  const isCode = text.includes('\n');
  const file = isCode ? undefined : files.find(at, problems);
  if (!isCode && file === undefined) return [];
  const loading = await (file === undefined ? files.loadScriptText(text) : files.loadScript(file));
  if (loading.outcome === 'loaded') return [{ type: 'script', run: loading.run }];
  if (loading.outcome === 'unloadable') problems.at(at, loading.error);
  return [];
}

const withNulls = (fields: JsonObject): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? null]));
