import { readRelease } from '../../api/release/load-release.ts';

/** What is wrong with a text that is to name a release of Kubernetes; undefined: it is one that kadmit knows. */
export function releaseProblem(text: string): string | undefined {
  const reading = readRelease(text);
  return reading.outcome === 'known' ? undefined : reading.problem;
}
