import { humanDuration } from '../../machinery/go/human-duration.ts';
import type { ChainHealth, ChainStep } from '../trace/chain-document.ts';
import type { Tone } from './about-decision.ts';
import { requestSeconds } from '../../machinery/meta/deadline.ts';
import type { RequestBudget } from '../trace/request-budget.ts';

/** `up to 5 s; a failure refuses the request; called again if something changes after it`. */
export function termsText({ type, timeoutSeconds, failurePolicy, reinvocationPolicy }: ChainStep): string {
  const terms = [
    ...(type === 'webhook' ? [`up to ${timeoutSeconds} s`] : ['evaluated']),
    failurePolicy === 'Ignore' ? 'a failure lets the request pass' : 'a failure refuses the request',
    ...(reinvocationPolicy === 'IfNeeded' ? ['called again if something changes after it'] : []),
  ];
  return terms.join('; ');
}

export const assumedSentence = (assumed: NonNullable<ChainStep['assumed']>): string =>
  `not called: assumed to ${assumed === 'ignore' ? 'fail open' : assumed} (--assume)`;

/** A sentence and its tone. */
export interface BackendHealth {
  readonly text: string;
  readonly tone: Tone;
}

const soonMilliseconds = 30 * 86_400_000;

/** undefined for a step without a backend. `now` in milliseconds since 1970. */
export function backendHealth({ health, assumed }: ChainStep, now: number): BackendHealth | undefined {
  if (assumed) return { text: assumedSentence(assumed), tone: 'warn' };
  if (!health) return undefined;
  if (health.outcome === 'unreachable') return { text: healthSentence(health, now), tone: 'bad' };
  const isEnding = health.certificate !== undefined && health.certificate.notAfter - now < soonMilliseconds;
  return { text: healthSentence(health, now), tone: isEnding ? 'warn' : 'quiet' };
}

/** `https://127.0.0.1:8443 accepts connections, certificate CN=hooks until 2027-01-01 (40d left)`. */
export function healthSentence(
  { outcome, address = '', phase = '', error = '', certificate }: ChainHealth,
  now: number,
): string {
  if (outcome === 'unreachable') return `UNREACHABLE (${phase}): ${error}`;
  if (!certificate) return `${address} accepts connections`;
  const until = new Date(certificate.notAfter).toISOString().slice(0, 10);
  const remaining = humanDuration(certificate.notAfter - now);
  return `${address} accepts connections, certificate ${certificate.subject} until ${until} (${remaining} left)`;
}

/** The longest time that the webhooks of a request may take, in seconds. */
export type TimeBudget = Pick<RequestBudget, 'mutating' | 'secondRound' | 'validating' | 'worstCase' | 'limit'>;

/** Skipped and assumed webhooks take no time. */
export function timeBudget(steps: readonly ChainStep[]): TimeBudget {
  const calls = steps.filter(
    ({ type, outcome, assumed }) =>
      type === 'webhook' && outcome !== 'skipped' && outcome !== 'refuses' && assumed === undefined,
  );
  const seconds = ({ timeoutSeconds = 10 }: ChainStep): number => timeoutSeconds;
  const sum = (some: readonly ChainStep[]): number => some.reduce((total, one) => total + seconds(one), 0);
  const mutators = calls.filter(({ phase }) => phase === 'mutating');
  const mutating = sum(mutators);
  const reinvoked = mutators.filter(({ reinvocationPolicy }) => reinvocationPolicy === 'IfNeeded');
  const secondRound = sum(reinvoked);
  const validating = Math.max(0, ...calls.filter(({ phase }) => phase === 'validating').map(seconds));
  return { mutating, secondRound, validating, worstCase: mutating + secondRound + validating, limit: requestSeconds };
}

/** `worst case 20 s, the limit is 34 s: 10 s mutating, in order + 10 s validating, the slowest`. */
export function budgetSentence({ mutating, secondRound, validating, worstCase, limit }: TimeBudget): string {
  if (worstCase === 0) return `no webhook is called: worst case 0 s, the limit is ${limit} s`;
  const parts = [
    ...(mutating === 0 ? [] : [`${mutating} s mutating, in order`]),
    ...(secondRound === 0 ? [] : [`${secondRound} s called again`]),
    ...(validating === 0 ? [] : [`${validating} s validating, the slowest`]),
  ];
  const sum = `worst case ${worstCase} s, the limit is ${limit} s: ${parts.join(' + ')}`;
  return worstCase > limit ? `${sum}; the last ones get less than their timeoutSeconds` : sum;
}
