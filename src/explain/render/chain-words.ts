import { humanDuration } from '../../machinery/go/human-duration.ts';
import type { ChainHealth, ChainStep } from '../trace/chain-document.ts';
import type { Tone } from './about-decision.ts';

/** `up to 5 s; a failure refuses the request; called again if something changes after it`. */
export function termsOf({ type, timeoutSeconds, failurePolicy, reinvocationPolicy }: ChainStep): string {
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

const soon = 30 * 86_400_000;

/** undefined for a step without a backend. `now` in milliseconds since 1970. */
export function backendHealth({ health, assumed }: ChainStep, now: number): BackendHealth | undefined {
  if (assumed) return { text: assumedSentence(assumed), tone: 'warn' };
  if (!health) return undefined;
  if (health.outcome === 'unreachable') return { text: healthSentence(health, now), tone: 'bad' };
  const isEnding = health.certificate !== undefined && health.certificate.notAfter - now < soon;
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
  const left = humanDuration(certificate.notAfter - now);
  return `${address} accepts connections, certificate ${certificate.subject} until ${until} (${left} left)`;
}
