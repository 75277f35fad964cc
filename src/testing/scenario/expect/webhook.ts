import type { TracedRequest, TracedWebhook } from '../../../explain/trace/trace.ts';
import type { Place, WebhookExpectation } from '../format.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import type { Failure } from '../outcome.ts';
import { hasDenied, isCalled, storyOf, wasCalled, webhooksIn, whatBecameOf } from './decisions.ts';
import type { Shown } from './shown.ts';
import { isRefused } from './shown.ts';
import { checkWebhookDetails } from './webhook-details.ts';

/** One entry of `webhooks`: what became of this webhook in this request. Needs the trace. */
export function checkWebhook(expected: WebhookExpectation, what: string, shown: Shown): readonly Failure[] {
  const { trace } = shown;
  if (trace === undefined) return [];
  const failed = (message: string): readonly Failure[] => [
    failure(what, expected.place, `${expected.name} ${message}`),
  ];
  const all = webhooksIn(trace).filter((webhook) => isMeant(expected, webhook));
  const configurations = new Set(all.map(({ configuration }) => configuration));
  if (configurations.size > 1) {
    const list = [...configurations].join(', ');
    return failed(`is the name of several webhooks; say whose with configuration: ${list}`);
  }
  const turns = all.filter(({ round }) => expected.round === undefined || round === expected.round);
  if (turns.length === 0) {
    return expectsNoCall(expected) ? checkAbsent(expected, what, shown) : failed(absence(all, expected, shown));
  }
  const story = storyOf(turns, trace.request);
  const wrong = outcomeProblem(expected, turns, story) ?? timesProblem(expected, turns, trace.request);
  return wrong === undefined ? checkWebhookDetails(expected, { what, turns, story }) : failed(wrong);
}

const failure = (what: string, place: Place, message: string): Failure => ({ what, place, message });

const isMeant = ({ name, configuration, admission }: WebhookExpectation, webhook: TracedWebhook): boolean =>
  isCalled(webhook, name) &&
  (configuration === undefined || configuration === webhook.configuration) &&
  (admission === undefined || admission === webhook.phase);

/** `times: 0` holds for a webhook that was never considered, if there is one of that name. */
const expectsNoCall = ({ times, outcome }: WebhookExpectation): boolean => times === 0 && outcome === undefined;

function checkAbsent(expected: WebhookExpectation, what: string, shown: Shown): readonly Failure[] {
  if (isKnown(expected, shown)) return [];
  return [failure(what, expected.place, `${expected.name} ${nobody(expected.name, shown)}`)];
}

const isKnown = ({ name }: WebhookExpectation, { known }: Shown): boolean =>
  known.some((one) => one.name === name || `${one.configuration}/${one.name}` === name);

function nobody(name: string, { trace, known }: Shown): string {
  const names = new Set([...(trace ? webhooksIn(trace) : []), ...known].map((one) => one.name));
  return `is no webhook of any configuration${suggestion(name, [...names])}`;
}

/** Why there is nothing about the webhook, or nothing of that round. */
function absence(all: readonly TracedWebhook[], expected: WebhookExpectation, shown: Shown): string {
  const wanted = `was expected ${wantedText(expected)}`;
  const [last] = all.slice(-1);
  if (last && shown.trace) {
    return `${wanted}, and had no turn in round ${expected.round}; it ${whatBecameOf(last, shown.trace.request)}`;
  }
  if (!isKnown(expected, shown)) return nobody(expected.name, shown);
  return `${wanted}, and was not considered${whoWasBefore(shown)}`;
}

function whoWasBefore({ trace, answer }: Shown): string {
  if (!isRefused(answer)) return ': no stored configuration has it';
  const before = trace?.admission.find((decision) => hasDenied(decision) || decision.outcome === 'failed-closed');
  return `: the request was refused before its turn${before ? ` by ${before.name}` : ''}`;
}

const outcomes = {
  called: 'to be called',
  skipped: 'to be skipped',
  denied: 'to deny the request',
  'failed-open': 'to fail open',
  'failed-closed': 'to fail closed',
  refused: 'to refuse the request before its call',
} as const;

function wantedText({ outcome, because, round, times }: WebhookExpectation): string {
  const what = outcome === undefined ? timesText(times) : outcomes[outcome];
  return `${what}${because === undefined ? '' : ` because of ${because}`}${round === undefined ? '' : ` in round ${round}`}`;
}

function timesText(times: number | undefined): string {
  if (times === undefined) return 'to be considered';
  return times === 0 ? 'not to be called' : `to be called ${timesWord(times)}`;
}

const timesWord = (times: number): string => (times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`);

function outcomeProblem(
  expected: WebhookExpectation,
  turns: readonly TracedWebhook[],
  story: string,
): string | undefined {
  if (expected.outcome === undefined || holds(expected, turns)) return undefined;
  return `was expected ${wantedText(expected)}, and ${story}`;
}

function holds({ outcome, because }: WebhookExpectation, turns: readonly TracedWebhook[]): boolean {
  if (outcome === 'called') return turns.some((turn) => turn.outcome === 'called' || turn.outcome === 'denied');
  if (outcome !== 'skipped') return turns.some((turn) => turn.outcome === outcome);
  if (because === undefined) return turns.every((turn) => turn.outcome === 'skipped');
  return turns.some((turn) => reasonNames(turn).includes(because));
}

/** `matchCondition` and `matchCondition/exclude-leases`, `not-reinvoked` and `reinvocationPolicy-Never`. */
function reasonNames({ reason }: TracedWebhook): readonly string[] {
  if (reason === undefined) return [];
  if (reason.because === 'matchCondition') return [reason.because, `${reason.because}/${reason.condition}`];
  return reason.because === 'not-reinvoked' ? [reason.because, reason.detail] : [reason.because];
}

function timesProblem(
  { times }: WebhookExpectation,
  turns: readonly TracedWebhook[],
  request: TracedRequest,
): string | undefined {
  const calls = turns.filter(wasCalled);
  if (times === undefined || calls.length === times) return undefined;
  const was = calls.length === 0 ? 'was not called' : `was called ${timesWord(calls.length)}`;
  const skipped = turns.find((turn) => turn.outcome === 'skipped');
  const why = calls.length < times && skipped ? `: it ${whatBecameOf(skipped, request)}` : '';
  return `was expected ${timesText(times)}, and ${was}${why}`;
}
