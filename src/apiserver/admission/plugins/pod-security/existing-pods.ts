import type { AdmissionAttributes } from '../../chain/attributes.ts';
import type { PluginCount } from '../../chain/plugin.ts';
import type { CheckedPod } from './check.ts';
import { type LevelVersion, evaluatePod } from './policy.ts';

type CountedRequest = Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource'>;

/** Follows pod-security-admission metrics/metrics.go RecordEvaluation. */
export function countEvaluation(
  decision: 'allow' | 'deny',
  { level, minor, newest }: LevelVersion,
  mode: 'enforce' | 'audit' | 'warn',
  request: CountedRequest,
): PluginCount {
  const version = level === 'privileged' || minor === Infinity ? 'latest' : minor > newest ? 'future' : `v1.${minor}`;
  return {
    metric: 'pod_security_evaluations_total',
    labels: [decision, level, version, mode, ...requestLabels(request)],
  };
}

export const countExemption = (request: CountedRequest): PluginCount => ({
  metric: 'pod_security_exemptions_total',
  labels: requestLabels(request),
});

/** Invalid namespace labels; the strictest policy applies. */
export const countPolicyError = (request: CountedRequest): PluginCount => ({
  metric: 'pod_security_errors_total',
  labels: ['false', ...requestLabels(request)],
});

function requestLabels({ operation, resource, subresource }: CountedRequest): readonly string[] {
  const isPod = resource.group === '' && resource.resource === 'pods';
  return [operation.toLowerCase(), isPod ? 'pod' : 'controller', subresource];
}

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
    const reasons = evaluatePod(pod, enforce)
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
