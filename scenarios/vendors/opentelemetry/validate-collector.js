import { allowed, refused } from '../answer.js';

/** Bounds of the autoscaler. */
export default ({ request: { object } }) => {
  const { minReplicas, maxReplicas } = object.spec.autoscaler ?? {};
  return minReplicas > maxReplicas
    ? refused('the OpenTelemetry Spec autoscale configuration is incorrect, minReplicas must not be greater than maxReplicas')
    : allowed;
};
