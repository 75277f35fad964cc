import { asList, type JsonObject } from '../../machinery/json/json.ts';
import type * as metaV1 from '../../api/types/generated/meta-v1.ts';

export interface WorkloadCondition extends JsonObject {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

type Conditioned<Said> = { readonly kind: string; readonly status?: { readonly conditions?: readonly Said[] } };

export const conditionsOf = <Said extends metaV1.Condition>(object: Conditioned<Said>): readonly Said[] =>
  asList(object.status?.conditions);

export const findCondition = <Said extends metaV1.Condition>(
  conditions: readonly Said[],
  type: string,
): Said | undefined => conditions.find((condition) => condition.type === type);

export const withoutCondition = <Said extends metaV1.Condition>(
  conditions: readonly Said[],
  type: string,
): readonly Said[] => conditions.filter((condition) => condition.type !== type);

/**
 * The conditions with this one last; unchanged when it is equal. lastTransitionTime changes with the status. Follows
 * pkg/controller/deployment/util/deployment_util.go SetDeploymentCondition.
 */
export function withCondition<Said extends metaV1.Condition>(
  conditions: readonly Said[],
  condition: WorkloadCondition,
): readonly (Said | WorkloadCondition)[] {
  const current = findCondition(conditions, condition.type);
  const isSameStatus = current?.status === condition.status;
  if (isSameStatus && current.reason === condition.reason) return conditions;
  const { lastTransitionTime } = isSameStatus ? current : condition;
  const dated = lastTransitionTime === undefined ? condition : { ...condition, lastTransitionTime };
  return [...withoutCondition(conditions, condition.type), dated];
}
