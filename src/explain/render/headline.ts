import type { Tone } from './about-decision.ts';

export interface Headline {
  readonly tone: Tone;
  /** The kind, which decides the order of headlines. */
  readonly about: 'refusal' | 'failed-open' | 'near-miss' | 'called' | 'no-webhook' | 'far-miss';
  readonly text: string;
  readonly hint?: string;
  /** The name of the webhook, plugin or policy; empty for none. */
  readonly name: string;
  /** The key of the decision. */
  readonly key?: string;
}
