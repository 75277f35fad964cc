import type { Pod, PodSpec } from '../../../api/types/generated/core-v1.ts';
import { asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import type { SyncPlugin, PluginAnswer, PluginPorts } from '../chain/plugin.ts';
import { deny, byObject, byRule } from '../chain/refusal.ts';
import { forResource, type ObjectRequest, pass, podResource, withSpec } from './handled-resource.ts';
import type { PriorityClass } from '../../../api/types/generated/scheduling-v1.ts';

const priorityClasses = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;

/**
 * Sets a pod's priority from its class or the default class; allows one default. Follows kubernetes
 * plugin/pkg/admission/priority/admission.go (rule PLG-15).
 */
export const priority: SyncPlugin = {
  name: 'Priority',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  mutate: forResource(podResource, (request, ports) => {
    if (request.operation === 'UPDATE') return keepPriority(request);
    return request.operation === 'CREATE' ? resolvePriority(request, ports) : pass(request);
  }),
  validate: forResource(priorityClasses, (request, { cluster }) => {
    if (request.operation === 'DELETE' || request.object.globalDefault !== true) return pass(request);
    const present = globalDefault(cluster.list(priorityClasses));
    if (present === undefined) return pass(request);
    const { name = '' } = metadataOf(present);
    if (request.operation === 'UPDATE' && name === metadataOf(request.object).name) return pass(request);
    const message = `PriorityClass ${name} is already marked as default. Only one default can exist`;
    const limit = { refused: 'globalDefault', allowed: 'true in one class only' };
    return deny(request, message, byObject(present, 'globalDefault', limit));
  }),
};

/** Updates that omit the priority keep it. */
function keepPriority(request: ObjectRequest<Pod>): Result<PluginAnswer> {
  const spec = asObject(request.object.spec);
  const old = asObject(request.oldObject?.spec);
  const kept = (['priority', 'preemptionPolicy'] as const).filter(
    (field) => spec[field] === undefined && old[field] !== undefined,
  );
  if (kept.length === 0) return pass(request);
  return withSpec(request, Object.fromEntries(kept.map((field) => [field, old[field]])));
}

interface PodPriority {
  readonly priorityClassName: string | undefined;
  readonly priority: number;
  readonly preemptionPolicy: JsonValue | undefined;
}

function resolvePriority(request: ObjectRequest<Pod>, { cluster }: PluginPorts): Result<PluginAnswer> {
  const spec = asObject(request.object.spec);
  const name = asString(spec.priorityClassName);
  const chosen = name === '' ? globalDefault(cluster.list(priorityClasses)) : cluster.get(priorityClasses, '', name);
  if (chosen === undefined && name !== '') {
    return deny(
      request,
      `no PriorityClass with name ${name} was found`,
      byRule('spec.priorityClassName', 'the name of a PriorityClass that exists'),
    );
  }
  const computed = chosen === undefined ? priorityWithoutClass : priorityOfClass(chosen);
  const conflict = conflictWith(computed, spec);
  if (conflict !== undefined) {
    const limit = { refused: 'spec.priority and spec.preemptionPolicy', allowed: 'what the class gives, or nothing' };
    const source = chosen ? byObject(chosen, 'value', limit) : byRule(limit.refused, 'nothing without a PriorityClass');
    return deny(request, conflict, source);
  }
  return withSpec(request, {
    priorityClassName: computed.priorityClassName,
    priority: computed.priority,
    preemptionPolicy: computed.preemptionPolicy ?? spec.preemptionPolicy,
  });
}

const priorityWithoutClass: PodPriority = {
  priorityClassName: undefined,
  priority: 0,
  preemptionPolicy: 'PreemptLowerPriority',
};

const priorityOfClass = (priorityClass: PriorityClass): PodPriority => ({
  priorityClassName: metadataOf(priorityClass).name,
  priority: Number(priorityClass.value ?? 0),
  preemptionPolicy: priorityClass.preemptionPolicy,
});

function conflictWith(computed: PodPriority, { priority: value, preemptionPolicy: policy }: PodSpec) {
  if (value !== undefined && value !== computed.priority) {
    return `the integer value of priority (${Number(value)}) must not be provided in pod spec; priority admission controller computed ${computed.priority} from the given PriorityClass name`;
  }
  if (policy !== undefined && computed.preemptionPolicy !== undefined && policy !== computed.preemptionPolicy) {
    return `the string value of PreemptionPolicy (${asString(policy)}) must not be provided in pod spec; priority admission controller computed ${asString(computed.preemptionPolicy)} from the given PriorityClass name`;
  }
  return undefined;
}

/** The lower of several defaults wins. */
function globalDefault(classes: readonly PriorityClass[]): PriorityClass | undefined {
  const defaults = classes.filter((priorityClass) => priorityClass.globalDefault === true);
  return defaults.toSorted((a, b) => Number(a.value ?? 0) - Number(b.value ?? 0))[0];
}
