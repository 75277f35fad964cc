import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asList, asObject, asString, type JsonObject } from '../../src/machinery/json/json.ts';
import { createStubRegistry, type StubRegistry } from '../../src/testing/stubs/stub-registry.ts';
import type { WebhookSpec } from '../../src/testing/stubs/webhook-spec.ts';
import { loadScenario } from '../../src/testing/scenario/load-scenario.ts';
import { prettyOutcome } from '../../src/testing/scenario/report/pretty.ts';
import { chooseWrites, type WriteSelection } from '../../src/testing/scenario/record/choose-writes.ts';
import { recordScenario } from '../../src/testing/scenario/record/record-scenario.ts';
import type { RecordedScenario, Recording } from '../../src/testing/scenario/record/recording.ts';
import { neededObjects } from '../../src/testing/scenario/record/stored-before.ts';
import { runScenario } from '../../src/testing/scenario/run.ts';
import type { ScenarioWorld, WorldAnswer, WorldRequest } from '../../src/testing/scenario/world.ts';
import { createWorlds } from '../../src/app/in-process/worlds.ts';
import type { Trace } from '../../src/explain/trace/trace.ts';
import { runOptions } from './scenario.ts';

/** A world that keeps the traces of its requests. */
export interface RecordedWorld {
  readonly send: (request: WorldRequest) => Promise<WorldAnswer>;
  readonly stubRegistry: StubRegistry;
  /** Recording starts with the next request. */
  readonly begin: () => void;
}

const onBug = (bug: unknown): never => {
  throw bug;
};

/** Runs `act` in a world and records it. */
export async function recordWorld(
  webhooks: readonly WebhookSpec[],
  act: (world: RecordedWorld) => Promise<void>,
  change: Partial<Recording & WriteSelection> = {},
): Promise<RecordedScenario> {
  const worlds = createWorlds(onBug);
  try {
    const stubRegistry = createStubRegistry(webhooks, 1);
    const world = await worlds.create({ stubRegistry, ...setup });
    const traces: Trace[] = [];
    let start = 0;
    const send = async (request: WorldRequest): Promise<WorldAnswer> => {
      const answer = await world.send(request);
      if (answer.trace) traces.push(withKubectlAgent(answer.trace));
      await world.settle();
      return answer;
    };
    await act({ send, stubRegistry, begin: () => (start = traces.length) });
    const since = traces[start]?.id ?? '';
    const choice = chooseWrites(traces, { since, last: 0, namespace: '', user: '', ...change });
    if (choice.outcome === 'unknown') throw new Error(choice.problem);
    const { writes } = choice;
    const found = await readObjects(world, neededObjects(writes));
    await world.close();
    return recordScenario({ ...defaults, writes, traces, currentObjects: found, ...change });
  } finally {
    await worlds.close();
  }
}

/** Worlds send their own user agent. */
const withKubectlAgent = (trace: Trace): Trace => ({
  ...trace,
  request: { ...trace.request, userAgent: 'kubectl/v1.36.0' },
});

const setup = {
  clock: 'virtual',
  seed: 7,
  controllers: ['*'],
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  authorizationMode: 'AlwaysAllow',
} as const;

const defaults = { name: 'recorded', description: '', schema: 'x', golden: false, reveal: false };

async function readObjects(world: ScenarioWorld, paths: readonly string[]): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const path of paths) {
    const { code, body } = await world.send({ method: 'GET', path });
    if (code !== 200) continue;
    const kind = asString(body['kind']).replace(/List$/, '');
    if (body['items'] === undefined) found.push(body);
    else
      found.push(...asList(body['items']).map((item) => ({ apiVersion: body['apiVersion'], kind, ...asObject(item) })));
  }
  return found;
}

/** Writes a scenario into a folder, reads and runs it: `passed`, or the problem. */
export async function runRecording({ files }: Pick<RecordedScenario, 'files'>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-recorded-'));
  const worlds = createWorlds(onBug);
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const loading = await loadScenario(folder);
    if (loading.outcome === 'unreadable') return JSON.stringify(loading.problems, undefined, 2);
    const outcome = await runScenario(loading.scenario, worlds, runOptions());
    return outcome.outcome === 'passed' ? 'passed' : prettyOutcome(outcome);
  } finally {
    await worlds.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
