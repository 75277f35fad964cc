import { createStubRegistry, type StubRegistry } from '../../testing/stubs/stub-registry.ts';
import { webhookSpecsOf } from '../../testing/scenario/run.ts';
import { listBackends, type ConfiguredWebhook } from '../../testing/scenario/outage/backends.ts';
import type { Scenario, ScenarioStep } from '../../testing/scenario/format.ts';
import { setupOf } from '../../testing/scenario/setup.ts';
import { doStep } from '../../testing/scenario/steps/do-step.ts';
import { storeManifests } from '../../testing/scenario/store-manifests.ts';
import type { ScenarioWorld, WorldAnswer, Worlds } from '../../testing/scenario/world.ts';

/** A world that can try a request in many orders before it is sent. */
export interface TrialWorld {
  readonly world: ScenarioWorld;
  /** Mutating webhooks without a stub in the scenario, `CONFIGURATION/WEBHOOK`: a stub allows everything. */
  readonly stubbed: ReadonlySet<string>;
  /** All mutating webhooks, `CONFIGURATION/WEBHOOK`. */
  readonly mutators: readonly string[];
  /** Sends a dry run with the mutating webhooks in this order; undefined: by name. Resets stubs. */
  readonly attempt: (step: ScenarioStep, mutatingOrder?: readonly string[]) => Promise<WorldAnswer | undefined>;
  readonly make: (step: ScenarioStep) => Promise<WorldAnswer | undefined>;
  readonly close: () => Promise<void>;
}

/** Opens a scenario's world and loads its objects. Rejects when one cannot be stored. */
export async function openTrials(scenario: Scenario, worlds: Worlds): Promise<TrialWorld> {
  const specs = withStubs(scenario);
  const stubRegistry = createStubRegistry(specs, scenario.seed);
  let mutatingOrder: readonly string[] | undefined;
  const world = await worlds.create({ ...setupOf(scenario, stubRegistry), mutatingOrder: () => mutatingOrder });
  const context = { world, stubRegistry, on: 'kadmit' } as const;
  const send = async (step: ScenarioStep): Promise<WorldAnswer | undefined> => {
    const result = await doStep(step, context);
    return result.outcome === 'answered' ? result.answer : undefined;
  };
  const problem = await storeManifests(scenario.load, world);
  if (problem) {
    await world.close();
    throw new Error(problem.message);
  }
  return {
    world,
    stubbed: new Set(
      webhooksWithoutSpec(scenario)
        .filter(isMutating)
        .map(({ configuration, name }) => `${configuration}/${name}`),
    ),
    mutators: listBackends(scenario.load)
      .flatMap(({ webhooks }) => webhooks)
      .filter(isMutating)
      .map(({ configuration, name }) => `${configuration}/${name}`),
    attempt: async (step, order) => {
      resetScripts(stubRegistry);
      mutatingOrder = order;
      try {
        return await send({ ...step, dryRun: true });
      } finally {
        mutatingOrder = undefined;
        resetScripts(stubRegistry);
      }
    },
    make: send,
    close: world.close,
  };
}

/** The scenario's webhooks, and stubs that allow everything for the others. */
export const withStubs = (scenario: Scenario): ReturnType<typeof webhookSpecsOf> => [
  ...webhookSpecsOf(scenario),
  ...webhooksWithoutSpec(scenario).map(({ name, configuration }) => ({ name, configuration, does: [], faults: [] })),
];

function webhooksWithoutSpec(scenario: Scenario): readonly ConfiguredWebhook[] {
  const known = webhookSpecsOf(scenario);
  return listBackends(scenario.load)
    .flatMap(({ webhooks }) => webhooks)
    .filter(
      ({ name, configuration }) =>
        !known.some((one) => one.name === name && (one.configuration ?? configuration) === configuration),
    );
}

const isMutating = ({ type }: ConfiguredWebhook): boolean => type === 'mutating';

/** Resets the variables of scripts, so that trials are independent. */
function resetScripts(stubRegistry: StubRegistry): void {
  for (const { name, configuration, does } of stubRegistry.specs()) {
    if (does.some(({ type }) => type === 'script')) {
      stubRegistry.configure(configuration === undefined ? name : `${configuration}/${name}`, { does });
    }
  }
}

/** Whether the step writes an object that mutating webhooks may change. */
export const isTrialWrite = ({ action }: ScenarioStep): boolean =>
  action.type === 'create' || action.type === 'update' || action.type === 'apply' || action.type === 'patch';
