import { skippedText } from '../../../explain/render/policy-model.ts';
import { statesOf } from '../../../explain/trace/object-states.ts';
import type { Trace, TracedPolicy } from '../../../explain/trace/trace.ts';
import type { PolicyExpectation } from '../format.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import type { Failure } from '../outcome.ts';
import { asString } from '../../../machinery/json/json.ts';
import { missingFields } from './differences.ts';
import type { StepObservation } from './step-observation.ts';

/** Needs the trace. */
export function checkPolicy(expected: PolicyExpectation, { trace }: StepObservation): readonly Failure[] {
  if (trace === undefined) return [];
  const { name, place, binding } = expected;
  const failed = (message: string): readonly Failure[] => [
    { what: `policies.${name}`, place, message: `${name} ${message}` },
  ];
  const all = trace.admission.filter((one): one is TracedPolicy => one.type === 'policy');
  const decisions = all.filter((one) => one.name === name && (binding === undefined || one.binding === binding));
  if (decisions.length === 0) {
    const bound = binding === undefined ? '' : ` with binding ${binding}`;
    const names = new Set(all.map((one) => one.name));
    return failed(`was not considered${bound}${names.has(name) ? '' : suggestion(name, [...names])}`);
  }
  if (!isOutcomeMet(expected, decisions)) {
    return failed(
      `was expected ${describeExpectation(expected)}, and ${decisions.map((one) => describeDecision(one, trace)).join(', and ')}`,
    );
  }
  return checkChange(expected, decisions, trace).flatMap(failed);
}

function isOutcomeMet({ outcome, because }: PolicyExpectation, decisions: readonly TracedPolicy[]): boolean {
  if (outcome === undefined) return true;
  if (outcome !== 'skipped') return decisions.some((decision) => decision.outcome === outcome);
  if (because === undefined) return decisions.every((decision) => decision.outcome === 'skipped');
  return decisions.some((decision) => reasonNames(decision).includes(because));
}

function reasonNames({ reason }: TracedPolicy): readonly string[] {
  if (reason === undefined) return [];
  return reason.because === 'not-reinvoked' ? [reason.because, reason.detail] : [reason.because];
}

const outcomeTexts = {
  evaluated: 'to be evaluated and to let the request pass',
  skipped: 'to be skipped',
  denied: 'to deny the request',
  'failed-open': 'to fail open',
  'failed-closed': 'to fail closed',
} as const;

const describeExpectation = ({ outcome, because }: PolicyExpectation): string =>
  `${outcome === undefined ? 'to be considered' : outcomeTexts[outcome]}${because === undefined ? '' : ` because of ${because}`}`;

/** Follows the policy's name in a sentence. */
function describeDecision(policy: TracedPolicy, { request }: Trace): string {
  const { outcome, reason, error = '', status, binding } = policy;
  const bound = binding === undefined ? '' : ` with binding ${binding}`;
  switch (outcome) {
    case 'evaluated':
      return `was evaluated${bound} and let the request pass`;
    case 'skipped':
      return `was skipped${bound}: ${reason ? skippedText(policy, reason, request) : 'no reason is recorded'}`;
    case 'denied':
      return `denied the request${bound}: ${asString(status?.['message'])}`;
    case 'failed-open':
      return `failed open${bound}: ${error}`;
    case 'failed-closed':
      return `failed closed${bound}: ${error}`;
  }
}

function checkChange(
  { changed, object }: PolicyExpectation,
  decisions: readonly TracedPolicy[],
  trace: Trace,
): readonly string[] {
  const hasChanged = decisions.some(({ patch }) => patch !== undefined && patch.length > 0);
  if (changed !== undefined && changed !== hasChanged) {
    return [`was expected ${changed ? '' : 'not '}to change the object, and ${hasChanged ? 'changed it' : 'did not'}`];
  }
  if (object === undefined) return [];
  const states = statesOf(trace);
  const last = decisions.findLast(({ patch }) => patch !== undefined);
  const after = last && states[trace.admission.indexOf(last)]?.after;
  if (after === undefined) return ['was expected to leave an object, and changed none'];
  return missingFields(after, object).map(({ path, problem }) => `left an object whose ${path || 'whole'} ${problem}`);
}
