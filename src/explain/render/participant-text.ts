import { isPolicyEntry } from '../../apiserver/admission/chain/attributes.ts';

export { isPolicyEntry as isPolicy };

/** `policy NAME`, or the webhook as it is. */
export const participantText = (turn: string): string => (isPolicyEntry(turn) ? `policy ${turn}` : turn);

/** `2 mutating webhooks`, `1 mutating policy and 2 webhooks`, `no mutating webhook`. */
export function mutatorCountText(turns: readonly string[]): string {
  const policies = turns.filter(isPolicyEntry).length;
  const webhooks = turns.length - policies;
  if (turns.length === 0) return 'no mutating webhook';
  const parts = [
    ...(policies > 0 ? [policies === 1 ? '1 policy' : `${policies} policies`] : []),
    ...(webhooks > 0 ? [webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`] : []),
  ];
  return parts.join(' and ').replace(' ', ' mutating ');
}
