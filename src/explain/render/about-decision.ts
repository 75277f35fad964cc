import { isPolicyEntry } from '../../apiserver/admission/chain/attributes.ts';
import type { DiffLine, FieldChange } from '../trace/object-diff.ts';

export interface DecisionBase {
  /** Unique in its trace. */
  readonly key: string;
  readonly name: string;
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  /** Counts the admission attempts of the request from 0. */
  readonly attempt: number;
  readonly tone: Tone;
  /** `allowed in 3.1 ms, added label team`. */
  readonly sentence: string;
  readonly diff: readonly DiffLine[];
  /** One for each field, list item, label and annotation. */
  readonly changes: readonly FieldChange[];
}

/** `warn`: needs attention. `quiet`: not relevant to the request. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet';

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

export { isPolicyEntry as isPolicy };

/** `policy NAME`, or the webhook as it is. */
export const participantText = (entry: string): string => (isPolicyEntry(entry) ? `policy ${entry}` : entry);

/** `2 mutating webhooks`, `1 mutating policy and 2 webhooks`, `no mutating webhook`. */
export function mutatorCountText(order: readonly string[]): string {
  const policies = order.filter(isPolicyEntry).length;
  const webhooks = order.length - policies;
  if (order.length === 0) return 'no mutating webhook';
  const parts = [
    ...(policies > 0 ? [policies === 1 ? '1 policy' : `${policies} policies`] : []),
    ...(webhooks > 0 ? [webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`] : []),
  ];
  return parts.join(' and ').replace(' ', ' mutating ');
}
