import type { NumberedSummary } from '../explain/trace/trace-summary.ts';

const maxOffered = 100;

/** The other writes of the same kind of object, newest first. */
export function comparableWith(id: string, newestFirst: readonly NumberedSummary[]): readonly NumberedSummary[] {
  const own = newestFirst.find((one) => one.id === id);
  if (!own) return [];
  return newestFirst.filter((one) => one.id !== id && one.resource === own.resource).slice(0, maxOffered);
}

/** The most similar one: of the same name and verb, the nearest, preferably an earlier one. */
export function closestTo(id: string, newestFirst: readonly NumberedSummary[]): string | undefined {
  const own = newestFirst.find((one) => one.id === id);
  if (!own) return undefined;
  const unlike = (one: NumberedSummary): number =>
    (one.name === own.name && one.namespace === own.namespace ? 0 : 4) +
    (one.verb === own.verb ? 0 : 2) +
    (one.sequence < own.sequence ? 0 : 1);
  const far = ({ sequence }: NumberedSummary): number => Math.abs(sequence - own.sequence);
  const [closest] = comparableWith(id, newestFirst).toSorted(
    (one, other) => unlike(one) - unlike(other) || far(one) - far(other),
  );
  return closest?.id;
}
