/** What tells the place of a decision among the others of its round. */
interface Placed {
  readonly type: string;
  readonly phase: 'mutating' | 'validating';
  readonly outcome: string;
  readonly index?: number;
}

/**
 * The decisions of one round in the order in which they were considered. Validating webhooks are recorded as they
 * finish, and their `index` counts only the ones called: those skipped before a called one have its index. Everything
 * else is in its order already.
 */
export function inOrderConsidered<Decision extends Placed>(decisions: readonly Decision[]): readonly Decision[] {
  const isMoved = (one: Decision): boolean => one.type === 'webhook' && one.phase === 'validating';
  const webhooks = decisions.filter(isMoved).toSorted(byPlace);
  let next = 0;
  return decisions.map((one) => {
    if (!isMoved(one)) return one;
    next += 1;
    return webhooks[next - 1] ?? one;
  });
}

const byPlace = (a: Placed, b: Placed): number =>
  (a.index ?? 0) - (b.index ?? 0) || Number(a.outcome !== 'skipped') - Number(b.outcome !== 'skipped');
