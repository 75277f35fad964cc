import { reinvocationOf } from '../findings/order-remedy.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * Why a second mutating round was due in this attempt (rules REI-1 to REI-7); why not only if a webhook asks for one.
 */
export function reinvocationSentence({ admission }: Pick<Trace, 'admission'>, attempt: number): string | undefined {
  const mutating = admission.filter((one) => one.phase === 'mutating' && (one.attempt ?? 0) === attempt);
  const changers = mutating.flatMap((one) =>
    one.round === 0 && isChanger(one) ? [one.type === 'policy' ? `policy ${one.name}` : one.name] : [],
  );
  const hadSecond = mutating.some(({ round }) => round === 1);
  const appliers = mutating.flatMap((one) => (one.round === 0 && isApplier(one) ? [`policy ${one.name}`] : []));
  if (hadSecond && changers.length + appliers.length > 0) {
    const again = mutating.some((one) => one.round === 1 && one.type !== 'plugin' && one.outcome !== 'skipped');
    const nobody = again ? '' : ', but nobody was called again';
    const names = (all: readonly string[]): string => [...new Set(all)].join(', ');
    const why =
      changers.length > 0
        ? `${names(changers)} changed the object`
        : `${names(appliers)} applied its mutations, which counts even if nothing changes`;
    return `a second round was due: ${why}${nobody}`;
  }
  if (hadSecond) return 'a second round was due: the object was changed';
  if (mutating.some(({ outcome }) => ends.has(outcome))) return undefined;
  const isWanted = mutating.some(
    (one) => one.type === 'webhook' && one.outcome === 'called' && reinvocationOf(one) === 'IfNeeded',
  );
  return isWanted ? 'no second round: no webhook changed the object' : undefined;
}

const isChanger = (one: Trace['admission'][number]): boolean =>
  one.type === 'webhook' ? one.changed === true : one.type === 'policy' && (one.patch ?? []).length > 0;

/** A mutation that was applied asks for a second round whatever it changed. */
const isApplier = (one: Trace['admission'][number]): boolean =>
  one.type === 'policy' && one.phase === 'mutating' && (one.mutations ?? []).some(({ result }) => result !== 'error');

const ends: ReadonlySet<string> = new Set(['denied', 'refused', 'failed-closed']);
