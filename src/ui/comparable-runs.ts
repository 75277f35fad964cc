import type { NumberedSummary } from '../explain/trace/trace-summary.ts';

const maxOffered = 100;

/** The other writes of the same kind of object, newest first. */
export function findComparableRuns(id: string, newestFirst: readonly NumberedSummary[]): readonly NumberedSummary[] {
  const own = newestFirst.find((summary) => summary.id === id);
  if (!own) return [];
  return newestFirst.filter((summary) => summary.id !== id && summary.resource === own.resource).slice(0, maxOffered);
}

/** The most similar one: of the same name and verb, the nearest, preferably an earlier one. */
export function findClosestRun(id: string, newestFirst: readonly NumberedSummary[]): string | undefined {
  const own = newestFirst.find((summary) => summary.id === id);
  if (!own) return undefined;
  const difference = (summary: NumberedSummary): number =>
    (summary.name === own.name && summary.namespace === own.namespace ? 0 : 4) +
    (summary.verb === own.verb ? 0 : 2) +
    (summary.sequence < own.sequence ? 0 : 1);
  const distance = ({ sequence }: NumberedSummary): number => Math.abs(sequence - own.sequence);
  const [closest] = findComparableRuns(id, newestFirst).toSorted(
    (a, b) => difference(a) - difference(b) || distance(a) - distance(b),
  );
  return closest?.id;
}
