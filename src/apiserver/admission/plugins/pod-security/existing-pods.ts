import type { CheckedPod } from './check.ts';
import { type LevelVersion, violationsOf } from './policy.ts';

interface NamedPod {
  readonly name: string;
  readonly pod: CheckedPod;
}

const maximumPods = 3000;

export function existingPodWarnings(
  namespace: string,
  enforce: LevelVersion,
  pods: readonly NamedPod[],
): readonly string[] {
  const breaking = new Map<string, readonly string[]>();
  for (const { name, pod } of pods.slice(0, maximumPods)) {
    const reasons = violationsOf(pod, enforce)
      .map(({ reason }) => reason)
      .join(', ');
    if (reasons !== '') breaking.set(reasons, [...(breaking.get(reasons) ?? []), name]);
  }
  const lines = [...breaking].map(([reasons, names]) => `${podsText(names)}: ${reasons}`);
  return [
    ...(pods.length > maximumPods
      ? [`new PodSecurity enforce level only checked against the first ${maximumPods} of ${pods.length} existing pods`]
      : []),
    ...(lines.length > 0
      ? [`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${enforce.text}"`]
      : []),
    ...lines.toSorted(),
  ];
}

function podsText(names: readonly string[]): string {
  const [first = '', ...others] = names.toSorted();
  if (others.length === 0) return first;
  return `${first} (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
}
