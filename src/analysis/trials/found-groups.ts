/** What is counted together, with its first examples. */
export interface Found<Example> {
  /** What is equal for all of it; the key of its group. */
  readonly key: string;
  readonly count: number;
  readonly examples: readonly Example[];
}

const mostExamples = 3;

/** Puts what was found to its group, which keeps the first few examples in this order: the same whatever is put in first. */
export function addFound<Example, Group extends Found<Example>>(
  groups: Map<string, Group>,
  one: Group,
  order: (one: Example, other: Example) => number,
): void {
  const known = groups.get(one.key);
  const examples = [...(known?.examples ?? []), ...one.examples].toSorted(order).slice(0, mostExamples);
  groups.set(one.key, { ...one, count: (known?.count ?? 0) + one.count, examples });
}

/** The most frequent first, those of equal number by their first examples. */
export const byFrequency =
  <Example>(order: (one: Example, other: Example) => number) =>
  (one: Found<Example>, other: Found<Example>): number => {
    const [first, second] = [one.examples[0], other.examples[0]];
    return other.count - one.count || (first && second ? order(first, second) : 0);
  };
