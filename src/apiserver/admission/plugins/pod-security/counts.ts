import type { AdmissionAttributes } from '../../chain/attributes.ts';
import type { PluginCount } from '../../chain/plugin.ts';
import type { LevelVersion } from './policy.ts';

type Asked = Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource'>;

/** Follows pod-security-admission metrics/metrics.go RecordEvaluation. */
export function evaluation(
  decision: 'allow' | 'deny',
  { level, minor, newest }: LevelVersion,
  mode: 'enforce' | 'audit' | 'warn',
  asked: Asked,
): PluginCount {
  const version = level === 'privileged' || minor === Infinity ? 'latest' : minor > newest ? 'future' : `v1.${minor}`;
  return {
    metric: 'pod_security_evaluations_total',
    labels: [decision, level, version, mode, ...requestLabels(asked)],
  };
}

export const exemption = (asked: Asked): PluginCount => ({
  metric: 'pod_security_exemptions_total',
  labels: requestLabels(asked),
});

/** Invalid namespace labels; the strictest policy applies. */
export const policyError = (asked: Asked): PluginCount => ({
  metric: 'pod_security_errors_total',
  labels: ['false', ...requestLabels(asked)],
});

function requestLabels({ operation, resource, subresource }: Asked): readonly string[] {
  const isPod = resource.group === '' && resource.resource === 'pods';
  return [operation.toLowerCase(), isPod ? 'pod' : 'controller', subresource];
}
