import { reinvocationOf } from '../findings/order-remedy.ts';
import { hasChanged, statesOf } from '../trace/object-states.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Why a second mutating round was due in this attempt (rules REI-1 to REI-7); why not only if a webhook asks for one.
 */
export function reinvocationSentence(trace: Trace, attempt: number): string | undefined {
  const states = statesOf(trace);
  const mutating = trace.admission.flatMap((one, at) =>
    one.phase === 'mutating' && (one.attempt ?? 0) === attempt ? [{ one, hasEffect: hasChanged(one, states[at]) }] : [],
  );
  const patched = mutating.filter(({ one }) => one.round === 0 && isPatch(one));
  const hadSecond = mutating.some(({ one }) => one.round === 1);
  if (hadSecond && patched.length > 0) {
    const again = mutating.some(({ one }) => one.round === 1 && one.type !== 'plugin' && one.outcome !== 'skipped');
    const changers = patched.filter(({ hasEffect }) => hasEffect);
    const why =
      changers.length > 0
        ? `${namesOf(changers)} changed the object`
        : `${namesOf(patched)} patched the object, which counts even if nothing changes`;
    return `a second round was due: ${why}${again ? '' : ', but nobody was called again'}`;
  }
  if (hadSecond) return 'a second round was due: the object was changed';
  if (mutating.some(({ one }) => ends.has(one.outcome))) return undefined;
  const isWanted = mutating.some(
    ({ one }) => one.type === 'webhook' && one.outcome === 'called' && reinvocationOf(one) === 'IfNeeded',
  );
  return isWanted ? 'no second round: no webhook changed the object' : undefined;
}

type Decision = Trace['admission'][number];

/** A patch of a webhook, or a mutation of a policy that was applied. */
function isPatch(one: Decision): boolean {
  if (one.type === 'webhook') return one.outcome === 'called' && (one.patch ?? []).length > 0;
  return one.type === 'policy' && (one.mutations ?? []).some(({ result }) => result !== 'error');
}

const namesOf = (all: readonly { readonly one: Decision }[]): string =>
  [...new Set(all.map(({ one }) => (one.type === 'policy' ? `policy ${one.name}` : one.name)))].join(', ');

const ends: ReadonlySet<string> = new Set(['denied', 'refused', 'failed-closed']);
