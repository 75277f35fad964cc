import { asString } from '../../machinery/json/json.ts';
import type { Scenario } from './format.ts';
import type { ScenarioOutcome, StepOutcome } from './outcome.ts';

/** The outcome with a note at each failed step whose cause is something that the scenario leaves out. */
export const withHints = (outcome: ScenarioOutcome, scenario: Scenario): ScenarioOutcome => ({
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
  if (name !== undefined) return `${name} is not in webhooks, so nobody answers for it: add { name: ${name} } there`;
  const message = asString(trace.response.status?.['message']);
  const [, namespace] = /^namespaces "([^"]+)" not found$/.exec(message) ?? [];
  return namespace === undefined ? undefined : `add namespaces: { ${namespace}: {} } to make it first`;
}
