import { releaseNames } from '../../machinery/meta/release-names.ts';

/** The releases in this range, inclusive; undefined: the second is not later than the first. */
export function releasesBetween(from: string, to: string): readonly string[] | undefined {
  const [first, last] = [releaseNames.indexOf(from), releaseNames.indexOf(to)];
  return first < last ? releaseNames.slice(first, last + 1) : undefined;
}
