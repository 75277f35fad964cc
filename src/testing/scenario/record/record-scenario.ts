import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { isInside } from './choose-writes.ts';
import { convertersOf } from './recorded-converters.ts';
import { withoutSecrets, withoutSecretsIn } from './masked-secrets.ts';
import { createFiles } from './recorded-files.ts';
import type { ScenarioFiles } from './recorded-files.ts';
import { loadOf } from './recorded-load.ts';
import type { RecordedLoad } from './recorded-load.ts';
import { createSteps } from './recorded-steps.ts';
import type { RecordedScenario, Recording } from './recording.ts';
import { scenarioYaml } from './scenario-yaml.ts';
import { storedBefore } from './stored-before.ts';
import { stubsOf } from './recorded-stubs.ts';
import type { RecordedStubs } from './recorded-stubs.ts';
import { usersOf } from './recorded-user.ts';

/**
 * The scenario of a recording, as the texts of its files: what was there, who answered, what was done and what came of it.
 * Pure; nothing is read but what the recording holds.
 */
export function recordScenario(given: Recording): RecordedScenario {
  const recording = given.reveal ? given : masked(given);
  const { writes } = recording;
  const load = loadOf(storedBefore(recording), writes);
  const stubs = stubsOf(writes, insideOf(recording));
  const converters = convertersOf(load.definitions, writes);
  const files = createFiles();
  const users = usersOf(writes);
  const { steps, notes } = createSteps(recording, { stubs, users, files });
  const scenario: JsonObject = {
    name: recording.name,
    ...(recording.description === '' ? {} : { description: recording.description }),
    ...entry('namespaces', load.namespaces),
    ...(load.definitions.length > 0 ? { crds: files.add('crds', load.definitions) } : {}),
    ...loadedFiles(load, files),
    ...entry('users', users.users),
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
      ...(hidden ? ['what Secrets hold is masked; --reveal writes it as it is'] : []),
    ],
  };
}

const entry = (name: string, value: JsonObject): JsonObject =>
  Object.keys(value).length === 0 ? {} : { [name]: value };

/** The recording with what Secrets hold masked. Traces before the first write count for a deletecollection only. */
function masked(recording: Recording): Recording {
  const { traces, writes, found } = recording;
  const start = startOf(recording);
  const needsAll = writes.some(({ request }) => request.verb === 'deletecollection');
  const hidden = new Map<Trace, Trace>();
  for (const trace of needsAll ? traces : traces.slice(start)) hidden.set(trace, withoutSecrets(trace));
  const hide = (trace: Trace): Trace => hidden.get(trace) ?? trace;
  return { ...recording, traces: traces.map(hide), writes: writes.map(hide), found: found.map(withoutSecretsIn) };
}

const startOf = ({ traces, writes }: Recording): number => (writes[0] ? Math.max(traces.indexOf(writes[0]), 0) : 0);

const insideOf = (recording: Recording): readonly Trace[] =>
  recording.traces.slice(startOf(recording)).filter(isInside);

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
      // One that only failed has nothing to say.
      ...(does === 'allow' && faults.initial !== undefined ? {} : { does }),
      ...(faults.initial === undefined ? {} : { faults: faults.initial }),
    };
  });
  return { webhooks: entries };
}
