import type { PluginCount } from '../admission/plugin.ts';
import { createCounter } from './counter.ts';
import type { Family } from './family.ts';

/** The counters that single plugins have for themselves. */
export interface OwnCounters {
  readonly record: (counts: readonly PluginCount[]) => void;
  readonly families: readonly Family[];
}

const requestLabels = ['request_operation', 'resource', 'subresource'];

/** Follows pod-security-admission metrics/metrics.go; like there, some series are there before the first request. */
export function createOwnCounters(): OwnCounters {
  const evaluations = createCounter(
    'pod_security_evaluations_total',
    '[ALPHA] Evaluations of pods against the Pod Security Standards.',
    ['decision', 'policy_level', 'policy_version', 'mode', ...requestLabels],
  );
  const errors = createCounter(
    'pod_security_errors_total',
    '[ALPHA] Pods that were held against the strictest policy because labels of the namespace make no sense.',
    ['fatal', ...requestLabels],
  );
  const exemptions = createCounter(
    'pod_security_exemptions_total',
    '[ALPHA] Requests that the Pod Security Standards leave alone.',
    requestLabels,
  );
  for (const operation of ['create', 'update']) {
    evaluations.begin('allow', 'privileged', 'latest', 'enforce', operation, 'pod', '');
    for (const resource of ['pod', 'controller']) exemptions.begin(operation, resource, '');
  }
  const counters = new Map([evaluations, exemptions, errors].map((counter) => [counter.family.name, counter]));
  return {
    record: (counts) => {
      for (const { metric, labels } of counts) counters.get(metric)?.add(...labels);
    },
    families: [...counters.values()].map(({ family }) => family),
  };
}
