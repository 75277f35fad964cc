import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { PluginCount } from '../../apiserver/admission/chain/plugin.ts';

export type RecordCounts = (counts: readonly PluginCount[]) => void;

const requestLabels = ['request_operation', 'resource', 'subresource'];

const counters = [
  {
    name: 'pod_security_evaluations_total',
    help: '[ALPHA] Evaluations of pods against the Pod Security Standards.',
    labelNames: ['decision', 'policy_level', 'policy_version', 'mode', ...requestLabels],
  },
  {
    name: 'pod_security_errors_total',
    help: '[ALPHA] Pods evaluated against the strictest policy because the labels of their namespace are invalid.',
    labelNames: ['fatal', ...requestLabels],
  },
  {
    name: 'pod_security_exemptions_total',
    help: '[ALPHA] Requests that are exempt from the Pod Security Standards.',
    labelNames: requestLabels,
  },
];

/** Follows pod-security-admission metrics/metrics.go; upstream too creates some series at zero. */
export function createOwnCounters(registry: Registry): RecordCounts {
  const byName = new Map(counters.map((one) => [one.name, new Counter({ ...one, registers: [registry] })]));
  const count = (metric: string, values: readonly string[], by: number): void =>
    byName
      .get(metric)
      ?.labels(...values)
      .inc(by);
  for (const operation of ['create', 'update']) {
    count('pod_security_evaluations_total', ['allow', 'privileged', 'latest', 'enforce', operation, 'pod', ''], 0);
    for (const resource of ['pod', 'controller']) {
      count('pod_security_exemptions_total', [operation, resource, ''], 0);
    }
  }
  return (counts) => {
    for (const { metric, labels } of counts) count(metric, labels, 1);
  };
}
