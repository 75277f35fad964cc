import { readRelease } from '../../api/release/load-release.ts';

/** Why the text names no supported release of Kubernetes; undefined: it does. */
export function releaseProblem(text: string): string | undefined {
  const reading = readRelease(text);
  return reading.outcome === 'known' ? undefined : reading.problem;
}
