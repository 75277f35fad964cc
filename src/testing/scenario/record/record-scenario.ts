import { nameOf, isAdmissionResource, isPolicy } from '../known-webhooks.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { isInternalRequest } from './choose-writes.ts';
import { plainObject } from './plain-object.ts';
import { addsAnnotation, decisionsOf, recordedWebhooks } from './recorded-faults.ts';
import { isNear } from './recorded-expectation.ts';
import { createScenarioFiles, type ScenarioFiles, scenarioYaml } from './scenario-files.ts';
import { createSteps } from './recorded-steps.ts';
import { type RecordedStubs, recordStubs } from './recorded-stubs.ts';
import { recordUsers } from './recorded-user.ts';
import { maskRecording, type RecordedScenario, type Recording, recordingStart } from './recording.ts';
import { storedBefore } from './stored-before.ts';

/** The files of the scenario as texts. Pure. */
export function recordScenario(given: Recording): RecordedScenario {
  const recording = given.reveal ? given : maskRecording(given);
  const { writes } = recording;
  const load = recordLoad(storedBefore(recording), writes);
  const stubs = recordStubs(writes, internalTraces(recording));
  const converters = recordConverters(load.definitions, writes);
  const files = createScenarioFiles();
  const users = recordUsers(writes);
  const { steps, notes } = createSteps(recording, { stubs, users, files });
  const scenario: JsonObject = {
    name: recording.name,
    ...(recording.description === '' ? {} : { description: recording.description }),
    ...optionalField('namespaces', load.namespaces),
    ...(load.definitions.length > 0 ? { crds: files.add('crds', load.definitions) } : {}),
    ...loadedFiles(load, files),
    ...optionalField('users', users.users),
    ...webhooksEntry(stubs, files),
    ...converters.entry,
    steps: [...steps],
  };
  const text = `# yaml-language-server: $schema=${recording.schema}\n${scenarioYaml(scenario)}`;
  const hidden = recording.writes.some((write, index) => write !== given.writes[index]);
  return {
    files: new Map([['scenario.yaml', text], ...files.all()]),
    steps: steps.length,
    webhooks: stubs.webhooks.length,
    notes: [
      ...notes,
      ...converters.notes,
      ...(hidden ? ['values of Secrets are masked; --show-secrets writes them'] : []),
    ],
  };
}

const optionalField = (name: string, value: JsonObject): JsonObject =>
  Object.keys(value).length === 0 ? {} : { [name]: value };

const internalTraces = (recording: Recording): readonly Trace[] =>
  recording.traces.slice(recordingStart(recording)).filter(isInternalRequest);

function loadedFiles({ objects, configurations }: RecordedLoad, files: ScenarioFiles): JsonObject {
  const load = [
    ...(objects.length > 0 ? [files.add('objects', objects)] : []),
    ...(configurations.length > 0 ? [files.add('configurations', configurations)] : []),
  ];
  return load.length === 0 ? {} : { load };
}

function webhooksEntry({ webhooks }: RecordedStubs, files: ScenarioFiles): JsonObject {
  if (webhooks.length === 0) return {};
  const entries = webhooks.map(({ name, configuration, stub, faults }): JsonObject => {
    const does: JsonValue =
      stub.type === 'does' ? stub.does : { script: files.addScript(name, configuration, stub.answers) };
    return {
      name,
      ...(configuration === undefined ? {} : { configuration }),
      // A webhook that only failed needs no `does`.
      ...(does === 'allow' && faults.initial !== undefined ? {} : { does }),
      ...(faults.initial === undefined ? {} : { faults: faults.initial }),
    };
  });
  return { webhooks: entries };
}

interface RecordedConverters {
  readonly entry: JsonObject;
  readonly notes: readonly string[];
}

/** One stub per converter that was called. Traces do not contain conversion results. */
function recordConverters(definitions: readonly JsonObject[], writes: readonly Trace[]): RecordedConverters {
  const requested = new Set(
    writes.flatMap(({ conversions = [] }) =>
      conversions.flatMap(({ strategy, definition }) => (strategy === 'Webhook' ? [definition] : [])),
    ),
  );
  const names = definitions
    .map((one) => asString(valueAt(one, 'metadata', 'name')))
    .filter((name) => requested.has(name));
  if (names.length === 0) return { entry: {}, notes: [] };
  return {
    entry: { converters: names.map((definition) => ({ definition })) },
    notes: names.map(
      (name) =>
        `the stub converter of ${name} changes the apiVersion alone, as traces do not hold what the real one answered: give it \`does: { script: ./convert.js }\``,
    ),
  };
}

interface RecordedLoad {
  /** Labels by namespace name. */
  readonly namespaces: JsonObject;
  readonly definitions: readonly JsonObject[];
  readonly objects: readonly JsonObject[];
  readonly configurations: readonly JsonObject[];
}

/** Without objects that every server has, and configurations that concern no write. */
function recordLoad(stored: readonly JsonObject[], writes: readonly Trace[]): RecordedLoad {
  const concerned = new Set(writes.flatMap(concernedNames));
  const short = stored.filter(hasOnlyLabels);
  return {
    namespaces: Object.fromEntries(short.filter((one) => !isSeeded(one)).map((one) => [nameOf(one), labelsOf(one)])),
    definitions: stored.filter(isDefinition).map((one) => plainObject(one)),
    objects: stored
      .filter(
        (one) => !hasOnlyLabels(one) && !isDefinition(one) && !isConfiguration(one) && !isPolicy(one) && !isStatic(one),
      )
      .map((one) => plainObject(one, isAnnotated(one, writes)))
      // Pods need the objects they name.
      .toSorted((a, b) => Number(a['kind'] === 'Pod') - Number(b['kind'] === 'Pod')),
    configurations: stored
      .filter((one) => isConcerned(one, concerned) || (affectsAdmission(one) && isWritten(one, writes)))
      .map((one) => plainObject(one))
      .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
  };
}

const isDefinition = ({ kind }: JsonObject): boolean => kind === 'CustomResourceDefinition';

const isConfiguration = ({ kind }: JsonObject): boolean => asString(kind).endsWith('WebhookConfiguration');

const affectsAdmission = (object: JsonObject): boolean => isConfiguration(object) || isPolicy(object);

/** A binding belongs to its policy. */
function isConcerned(object: JsonObject, concerned: ReadonlySet<string>): boolean {
  if (!isPolicy(object)) return isConfiguration(object) && concerned.has(nameOf(object));
  return concerned.has(`policy/${asString(valueAt(object, 'spec', 'policyName')) || nameOf(object)}`);
}

/** Configurations of webhooks that were or might have been called, and evaluated policies. */
const concernedNames = (write: Trace): readonly string[] => [
  ...recordedWebhooks(write)
    .filter(isNear)
    .map(({ configuration }) => configuration),
  ...decisionsOf(write).flatMap(({ type, name, outcome }) =>
    type === 'policy' && outcome !== 'skipped' ? [`policy/${name}`] : [],
  ),
];

const isWritten = (object: JsonObject, writes: readonly Trace[]): boolean =>
  writes.some(({ request }) => isAdmissionResource(request.resource) && request.name === nameOf(object));

const isAnnotated = (object: JsonObject, writes: readonly Trace[]): boolean =>
  writes.some((write) => write.request.name === nameOf(object) && addsAnnotation(write));

/** It has nothing but labels. */
function hasOnlyLabels(object: JsonObject): boolean {
  if (object['kind'] !== 'Namespace') return false;
  return valueAt(plainObject(object), 'metadata', 'annotations') === undefined;
}

const seeded = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

const isSeeded = (namespace: JsonObject): boolean =>
  seeded.has(nameOf(namespace)) && Object.keys(labelsOf(namespace)).length === 0;

function labelsOf(namespace: JsonObject): JsonObject {
  const labels = asObject(valueAt(namespace, 'metadata', 'labels'));
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== 'kubernetes.io/metadata.name'));
}

/** A static Pod cannot be created. */
const isStatic = (object: JsonObject): boolean =>
  object['kind'] === 'Pod' &&
  asList(valueAt(object, 'metadata', 'ownerReferences')).some((one) => asObject(one)['kind'] === 'Node');
