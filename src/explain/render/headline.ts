import type { Tone } from './about-decision.ts';

/** One thing to know about a request, in a line. */
export interface Headline {
  readonly tone: Tone;
  /** Why it is told, the most telling first: the order of headlines. */
  readonly about: 'refusal' | 'failed-open' | 'near-miss' | 'called' | 'no-webhook' | 'far-miss';
  readonly text: string;
  /** What helps, if anything does. */
  readonly hint?: string;
  /** The name of the webhook, plugin or policy it is about; empty for none. */
  readonly name: string;
  /** The key of the decision it is about. */
  readonly key?: string;
}
