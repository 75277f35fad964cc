import type { JsonValue } from '../../../machinery/json/json.ts';
import { replicasOf } from '../fields.ts';
import type { Deployment, RollingUpdateDeployment } from '../../../api/types/generated/apps-v1.ts';

/** A number, or a percentage of `total`. Follows apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent. */
export function scaledValue(value: JsonValue | undefined, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? Number.parseInt(value, 10) : 0;
  return Number.isNaN(percent) ? 0 : round((percent * total) / 100);
}

const isRolling = (deployment: Deployment): boolean => deployment.spec?.strategy?.type === 'RollingUpdate';

const rollingUpdate = (deployment: Deployment, field: keyof RollingUpdateDeployment): number | string | undefined =>
  deployment.spec?.strategy?.rollingUpdate?.[field];

export const maxSurge = (deployment: Deployment): number =>
  isRolling(deployment) ? scaledValue(rollingUpdate(deployment, 'maxSurge'), replicasOf(deployment), Math.ceil) : 0;

/** maxUnavailable as a number; 1 when both are 0. Follows ResolveFenceposts. */
export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  const unavailable = scaledValue(rollingUpdate(deployment, 'maxUnavailable'), replicas, Math.floor);
  return Math.min(replicas, unavailable === 0 && maxSurge(deployment) === 0 ? 1 : unavailable);
}
