import { reinvocationPolicyOf } from '../../machinery/meta/webhook-fields.ts';
import type { Scenario } from '../../testing/scenario/format.ts';
import { backendsOf } from '../../testing/scenario/outage/backends.ts';
import type { Worlds } from '../../testing/scenario/world.ts';
import { isTried, openTrials } from './trial-setup.ts';
import { permuteRequest } from './permute-request.ts';
import type { Order, PermutedRequest } from '../../explain/trace/permuted-request.ts';
import type { Callees } from './orders.ts';

/** The effect of the order of mutating webhooks on a scenario's requests. */
export interface OrderReport {
  readonly scenario: string;
  readonly requests: readonly PermutedRequest[];
}

interface PermuteOptions {
  /** Random orders, where there are too many to try all. */
  readonly samples: number;
  readonly seed: number;
  readonly onProgress?: (text: string) => void;
}

/**
 * Tries each write of a scenario in every order of its mutating webhooks (of many: each pair both ways, then random
 * orders) as dry runs, then executes it. Rejects when the scenario cannot be loaded.
 */
export async function permute(scenario: Scenario, worlds: Worlds, options: PermuteOptions): Promise<OrderReport> {
  const trialWorld = await openTrials(scenario, worlds);
  const callees = calleesOf(scenario);
  try {
    const requests: PermutedRequest[] = [];
    for (const step of scenario.steps) {
      options.onProgress?.(step.name);
      if (isTried(step)) {
        const trial = {
          attempt: (order?: Order) => trialWorld.attempt(step, order),
          callees,
          stubbed: trialWorld.stubbed,
          ...options,
        };
        requests.push({ name: step.name, ...(await permuteRequest(trial)) });
      }
      await trialWorld.make(step);
    }
    return { scenario: scenario.name, requests };
  } finally {
    await trialWorld.close();
  }
}

const calleesOf = (scenario: Scenario): Callees =>
  new Map(
    backendsOf(scenario.load)
      .flatMap(({ webhooks }) => webhooks)
      .map(({ configuration, name, definition }) => {
        const uid = `${configuration}/${name}`;
        return [uid, { uid, reinvocationPolicy: reinvocationPolicyOf(definition) }] as const;
      }),
  );
