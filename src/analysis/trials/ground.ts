import { createSwitchboard } from '../../testing/stubs/create-switchboard.ts';
import type { Switchboard } from '../../testing/stubs/switchboard.ts';
import { answering } from '../../testing/scenario/run.ts';
import { backendsOf } from '../../testing/scenario/outage/backends.ts';
import type { ConfiguredWebhook } from '../../testing/scenario/outage/backends.ts';
import type { Scenario, Step } from '../../testing/scenario/format.ts';
import { setupOf } from '../../testing/scenario/setup.ts';
import { doStep } from '../../testing/scenario/steps/do-step.ts';
import { storeManifests } from '../../testing/scenario/store-manifests.ts';
import type { World, WorldAnswer, Worlds } from '../../testing/scenario/world.ts';

/** A world in which the same request can be tried in many orders before it is made. */
export interface TrialWorld {
  readonly world: World;
  /** Mutating webhooks that the scenario says nothing of, `CONFIGURATION/WEBHOOK`: a stub allows everything in their place. */
  readonly stubbed: ReadonlySet<string>;
  /** Sends the step as a dry run, these mutating webhooks asked in this order; undefined: all, by name. Stubs begin anew. */
  readonly attempt: (step: Step, turns?: readonly string[]) => Promise<WorldAnswer | undefined>;
  /** Does the step as the scenario says. */
  readonly make: (step: Step) => Promise<WorldAnswer | undefined>;
  readonly close: () => Promise<void>;
}

/** Opens the world of a scenario with all that it loads. Rejects when something of it cannot be stored. */
export async function openTrials(scenario: Scenario, worlds: Worlds): Promise<TrialWorld> {
  const specs = withStubs(scenario);
  const switchboard = createSwitchboard(specs, scenario.seed);
  let turns: readonly string[] | undefined;
  const world = await worlds.create({ ...setupOf(scenario, switchboard), mutatingTurns: () => turns });
  const context = { world, switchboard, on: 'kadmit' } as const;
  const send = async (step: Step): Promise<WorldAnswer | undefined> => {
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
      unmentioned(scenario)
        .filter(isMutating)
        .map(({ configuration, name }) => `${configuration}/${name}`),
    ),
    attempt: async (step, order) => {
      renew(switchboard);
      turns = order;
      try {
        return await send({ ...step, dryRun: true });
      } finally {
        turns = undefined;
        renew(switchboard);
      }
    },
    make: send,
    close: world.close,
  };
}

/** The webhooks of a scenario, and stubs that allow everything in place of those that it says nothing of. */
export const withStubs = (scenario: Scenario): ReturnType<typeof answering> => [
  ...answering(scenario),
  ...unmentioned(scenario).map(({ name, configuration }) => ({ name, configuration, does: [], faults: [] })),
];

function unmentioned(scenario: Scenario): readonly ConfiguredWebhook[] {
  const known = answering(scenario);
  return backendsOf(scenario.load)
    .flatMap(({ webhooks }) => webhooks)
    .filter(
      ({ name, configuration }) =>
        !known.some((one) => one.name === name && (one.configuration ?? configuration) === configuration),
    );
}

const isMutating = ({ type }: ConfiguredWebhook): boolean => type === 'mutating';

/** Scripts start with variables of their own, so that no trial sees what another one left behind. */
function renew(switchboard: Switchboard): void {
  for (const { name, configuration, does } of switchboard.specs()) {
    if (does.some(({ type }) => type === 'script')) {
      switchboard.configure(configuration === undefined ? name : `${configuration}/${name}`, { does });
    }
  }
}

/** Does the step write an object that mutating webhooks may change? */
export const isTried = ({ action }: Step): boolean =>
  action.type === 'create' || action.type === 'update' || action.type === 'apply' || action.type === 'patch';
