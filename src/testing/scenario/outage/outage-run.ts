import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { createStubRegistry } from '../../stubs/stub-registry.ts';
import type { WebhookSpec } from '../../stubs/webhook-spec.ts';
import type { TracedWebhook } from '../../../explain/trace/trace.ts';
import type { Scenario } from '../format.ts';
import { isConfiguration } from '../known-webhooks.ts';
import { setupOf } from '../setup.ts';
import { storeManifests } from '../store-manifests.ts';
import type { ScenarioWorld, WorldAnswer, Worlds } from '../world.ts';
import type { OutageBackend } from './backends.ts';
import { type StandardWrite, preparations } from './standard-writes.ts';
import type { BlockedWrite, BlockingWebhook, OutageRun } from './report.ts';

export interface OutageSetup {
  readonly worlds: Worlds;
  readonly scenario: Scenario;
  readonly backends: readonly OutageBackend[];
  readonly namespaces: readonly string[];
  readonly writes: readonly StandardWrite[];
}

export interface WriteResult {
  readonly write: StandardWrite;
  readonly answer: WorldAnswer;
}

/** Each outage has a world of its own. Rejects when the scenario cannot be loaded. */
export async function tryWrites(
  outageSetup: OutageSetup,
  down: readonly OutageBackend[],
  how: OutageRun['how'],
): Promise<readonly WriteResult[]> {
  return inOutage(outageSetup, { down, how }, async (world) => {
    const tried: WriteResult[] = [];
    for (const write of outageSetup.writes) tried.push({ write, answer: await world.send(write.request) });
    return tried;
  });
}

interface Outage {
  readonly down: readonly OutageBackend[];
  readonly how: OutageRun['how'];
}

/** The world is loaded and prepared before the outage begins. */
export async function inOutage<T>(
  outageSetup: OutageSetup,
  outage: Outage,
  useWorld: (world: ScenarioWorld) => Promise<T>,
): Promise<T> {
  const { scenario, worlds } = outageSetup;
  const stubRegistry = createStubRegistry(createSpecs(outageSetup), scenario.seed);
  // Authorization is not tested: nodes and controllers write as themselves.
  const setup = setupOf({ ...scenario, clock: 'virtual', authorizationMode: 'AlwaysAllow' }, stubRegistry);
  const world = await worlds.create(setup);
  try {
    await prepare(outageSetup, world);
    for (const name of outage.down.flatMap(({ webhooks }) =>
      webhooks.map((one) => `${one.configuration}/${one.name}`),
    )) {
      stubRegistry.configure(name, { faults: [{ what: { type: outage.how } }] });
    }
    return await useWorld(world);
  } finally {
    await world.close();
  }
}

/** A stub for every configured webhook, with the scenario's behaviour. */
function createSpecs({ scenario, backends }: OutageSetup): readonly WebhookSpec[] {
  return backends.flatMap(({ webhooks }) =>
    webhooks.map(({ name, configuration }): WebhookSpec => {
      const spec = scenario.webhooks.find(
        (one) => one.name === name && (one.configuration === undefined || one.configuration === configuration),
      );
      return { name, configuration, does: spec?.does ?? [], faults: [] };
    }),
  );
}

async function prepare({ scenario, namespaces }: OutageSetup, world: ScenarioWorld): Promise<void> {
  const [configurations, others] = partition(scenario.load, ({ object }) => isConfiguration(object));
  await storeOrThrow(others, world);
  for (const request of preparations(namespaces)) await world.send(request);
  await world.settle();
  await storeOrThrow(configurations, world);
}

async function storeOrThrow(load: Scenario['load'], world: ScenarioWorld): Promise<void> {
  const problem = await storeManifests(load, world);
  if (problem) throw new Error(problem.message);
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

export function summarizeOutage(
  tried: readonly WriteResult[],
  backends: readonly OutageBackend[],
  outage: Outage,
): OutageRun {
  const [refused, admitted] = partition(tried, ({ answer }) => answer.code >= 400);
  const [slowest] = admitted.toSorted((a, b) => b.answer.milliseconds - a.answer.milliseconds);
  return {
    down: outage.down.map(({ name }) => name),
    how: outage.how,
    tried: tried.length,
    blocked: refused.map((one) => blockedWrite(one, backends)),
    slowest: slowest && { write: slowest.write.title, milliseconds: slowest.answer.milliseconds },
  };
}

const blockedWrite = ({ write, answer }: WriteResult, backends: readonly OutageBackend[]): BlockedWrite => ({
  write: write.title,
  code: answer.code,
  message: asString(answer.body['message']),
  milliseconds: answer.milliseconds,
  by: findBlockers(answer, backends),
  spent: listTimes(answer),
});

/** Where the time went when no webhook failed closed: the whole request has 34 s. */
function listTimes({ trace }: WorldAnswer): BlockedWrite['spent'] {
  const decisions = trace?.admission ?? [];
  if (decisions.some(({ outcome }) => outcome === 'failed-closed')) return [];
  return decisions.flatMap((one) =>
    one.type === 'webhook' && one.milliseconds > 0 ? [{ name: one.name, milliseconds: one.milliseconds }] : [],
  );
}

export const findBlockers = ({ trace }: WorldAnswer, backends: readonly OutageBackend[]): readonly BlockingWebhook[] =>
  (trace?.admission ?? []).flatMap((decision) =>
    decision.type === 'webhook' && decision.outcome === 'failed-closed' ? [toBlocker(decision, backends)] : [],
  );

function toBlocker(webhook: TracedWebhook, backends: readonly OutageBackend[]): BlockingWebhook {
  const { name, configuration, definition = {}, matched = {} } = webhook;
  const backend = backends.find(({ webhooks }) =>
    webhooks.some((one) => one.name === name && one.configuration === configuration && one.type === webhook.phase),
  );
  const index = typeof matched['rule'] === 'number' ? matched['rule'] : 0;
  return {
    name,
    configuration,
    backend: backend?.name ?? '',
    rule: ruleText(index, asObject(asList(definition['rules'])[index])),
  };
}

function ruleText(index: number, { operations, apiGroups, resources }: JsonObject): string {
  const groups = asList(apiGroups)
    .map(asString)
    .filter((group) => group !== '' && group !== '*');
  const of = groups.length === 0 ? '' : ` of ${groups.join(', ')}`;
  return `rules[${index}] (${asList(operations).map(asString).join(', ')} ${asList(resources).map(asString).join(', ')}${of})`;
}
