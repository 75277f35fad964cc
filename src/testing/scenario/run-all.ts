import { asString } from '../../machinery/json/json.ts';
import { createStubRegistry } from '../stubs/stub-registry.ts';
import type { Scenario, ScenarioStep } from './format.ts';
import type { Combination } from './matrix.ts';
import type { ScenarioOutcome, StepOutcome } from './outcome.ts';
import { type RunOptions, runScenario } from './run.ts';
import type { WorldAnswer, Worlds } from './world.ts';

export interface RunAllOptions extends Pick<RunOptions, 'on' | 'now' | 'goldens' | 'limits' | 'coverage'> {
  readonly parallel: number;
  /** Starts no run after the first that does not pass. */
  readonly bail: boolean;
  /** Starts no more runs, for an external reason. */
  readonly isOver?: () => boolean;
  readonly onStart: (run: Combination) => void;
  /** In completion order. */
  readonly onOutcome: (outcome: ScenarioOutcome) => void;
  readonly onAnswer?: (run: Combination, step: ScenarioStep, answer: WorldAnswer) => void;
}

/** Outcomes in the order of `runs`, without runs that did not start. */
export async function runAll(
  runs: readonly Combination[],
  worlds: Worlds,
  options: RunAllOptions,
): Promise<readonly ScenarioOutcome[]> {
  const { now, goldens, limits, on, onAnswer, coverage = false } = options;
  const outcomes: (ScenarioOutcome | undefined)[] = runs.map(() => undefined);
  const queue = runs.entries();
  let stopped = false;
  const work = async (): Promise<void> => {
    for (const [index, run] of queue) {
      if (stopped || options.isOver?.()) return;
      options.onStart(run);
      const ended = await runScenario(run.scenario, worlds, {
        newStubRegistry: createStubRegistry,
        on,
        now,
        goldens,
        ...(limits ? { limits } : {}),
        combination: run.combination,
        coverage,
        ...(onAnswer ? { onAnswer: (step, answer) => onAnswer(run, step, answer) } : {}),
      });
      const outcome = withHints(ended, run.scenario);
      outcomes[index] = outcome;
      stopped ||= options.bail && outcome.outcome !== 'passed';
      options.onOutcome(outcome);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.parallel, runs.length) }, work));
  return outcomes.filter((outcome) => outcome !== undefined);
}

/** Adds a hint to failed steps whose cause is missing from the scenario. */
const withHints = (outcome: ScenarioOutcome, scenario: Scenario): ScenarioOutcome => ({
  ...outcome,
  steps: outcome.steps.map((step) => {
    const note = step.outcome === 'failed' ? hintFor(step, scenario) : undefined;
    return note === undefined ? step : { ...step, note };
  }),
});

function hintFor({ trace }: StepOutcome, { webhooks }: Scenario): string | undefined {
  if (trace?.verdict !== 'refused') return undefined;
  const declared = new Set(webhooks.map(({ name }) => name));
  const unanswered = trace.admission.flatMap((decision) =>
    decision.type === 'webhook' && decision.outcome === 'failed-closed' && !declared.has(decision.name)
      ? [decision.name]
      : [],
  );
  const [name] = unanswered;
  if (name !== undefined) return `${name} is not in webhooks and cannot be reached: add { name: ${name} } there`;
  const message = asString(trace.response.status?.['message']);
  const [, namespace] = /^namespaces "([^"]+)" not found$/.exec(message) ?? [];
  return namespace === undefined ? undefined : `add namespaces: { ${namespace}: {} } to make it first`;
}
