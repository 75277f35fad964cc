import type { AdmissionAttributes } from '../../chain/attributes.ts';
import type { PluginCount } from '../../chain/plugin.ts';
import type { LevelVersion } from './policy.ts';

type Asked = Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource'>;

/** The minor version of Kubernetes that is followed: later ones are `future`. */
const currentMinor = 36;

/** One evaluation of a pod by one mode. Follows pod-security-admission metrics/metrics.go RecordEvaluation. */
export function evaluation(
  decision: 'allow' | 'deny',
  { level, minor }: LevelVersion,
  mode: 'enforce' | 'audit' | 'warn',
  asked: Asked,
): PluginCount {
  const version =
    level === 'privileged' || minor === Infinity ? 'latest' : minor > currentMinor ? 'future' : `v1.${minor}`;
  return {
    metric: 'pod_security_evaluations_total',
    labels: [decision, level, version, mode, ...requestLabels(asked)],
  };
}

/** A request that is not looked at. Follows pod-security-admission metrics/metrics.go RecordExemption. */
export const exemption = (asked: Asked): PluginCount => ({
  metric: 'pod_security_exemptions_total',
  labels: requestLabels(asked),
});

/** Labels of a namespace that make no sense; the evaluation goes on with the strictest policy. */
export const policyError = (asked: Asked): PluginCount => ({
  metric: 'pod_security_errors_total',
  labels: ['false', ...requestLabels(asked)],
});

function requestLabels({ operation, resource, subresource }: Asked): readonly string[] {
  const isPod = resource.group === '' && resource.resource === 'pods';
  return [operation.toLowerCase(), isPod ? 'pod' : 'controller', subresource];
}
