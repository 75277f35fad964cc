import type { Pod, PodSpec } from '../../../api/types/generated/core-v1.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import type { StringMap } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { plainError } from '../../../machinery/meta/status.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { newForbidden, deny, byObject, byRule, refuseBecauseOf } from '../chain/refusal.ts';
import type { SyncPlugin, PluginPorts, RefusalSource } from '../chain/plugin.ts';
import { forResource, type ObjectRequest, pass, podResource, withSpec } from './handled-resource.ts';
import { mergeTolerations } from './pod-toleration-restriction.ts';
import { invalidNameError } from '../../../machinery/meta/names.ts';
import type { RuntimeClass } from '../../../api/types/generated/node-v1.ts';

/**
 * Adds the RuntimeClass's overhead and scheduling to a pod. Follows kubernetes
 * plugin/pkg/admission/runtimeclass/admission.go (rule PLG-20).
 */
export const runtimeClass: SyncPlugin = {
  name: 'RuntimeClass',
  operations: ['CREATE'],
  mutate: forResource(podResource, (request, ports) => {
    const lookup = classOf(request, ports);
    if (!lookup.ok) return refuseBecauseOf(request, lookup.status, mustExist);
    if (lookup.value === undefined) return pass(request);
    const spec = asObject(request.object.spec);
    const overhead = podFixed(lookup.value);
    if (overhead !== undefined && spec.overhead !== undefined && !sameOverhead(overhead, spec.overhead)) {
      return deny(request, wrongOverhead, byOverhead(lookup.value));
    }
    const scheduling = schedulingOf(lookup.value, spec);
    if (scheduling.conflict !== undefined) {
      return deny(request, scheduling.conflict, byNodeSelector(lookup.value));
    }
    const fields = { ...(overhead === undefined ? {} : { overhead }), ...scheduling.fields };
    if (Object.keys(fields).length === 0) return pass(request);
    return withSpec(request, fields);
  }),
  validate: forResource(podResource, (request, ports) => {
    const lookup = classOf(request, ports);
    if (!lookup.ok) return refuseBecauseOf(request, lookup.status, mustExist);
    const fault = overheadFault(podFixed(lookup.value), asObject(request.object.spec).overhead);
    if (fault === undefined) return pass(request);
    const source = lookup.value
      ? byOverhead(lookup.value)
      : byRule('spec.overhead', 'nothing without a RuntimeClass that says it');
    return deny(request, fault, source);
  }),
};

const mustExist = byRule('spec.runtimeClassName', 'the name of a RuntimeClass that exists');

const byOverhead = (runtimeClass: RuntimeClass): RefusalSource =>
  byObject(runtimeClass, 'overhead.podFixed', {
    refused: 'spec.overhead',
    allowed: 'this, or nothing',
  });

const byNodeSelector = (runtimeClass: RuntimeClass): RefusalSource =>
  byObject(runtimeClass, 'scheduling.nodeSelector', {
    refused: 'spec.nodeSelector',
    allowed: 'the same values',
  });

const wrongOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function overheadFault(defined: StringMap | undefined, overhead: StringMap | undefined): string | undefined {
  if (defined !== undefined) return sameOverhead(defined, overhead) ? undefined : wrongOverhead;
  return overhead === undefined
    ? undefined
    : 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
}

/** semanticEqual recognizes quantities by the field name. */
const sameOverhead = (a: JsonValue | undefined, b: StringMap | undefined): boolean =>
  semanticEqual({ overhead: asObject(a) }, { overhead: asObject(b) });

function classOf(request: ObjectRequest<Pod>, { cluster }: PluginPorts): Result<RuntimeClass | undefined> {
  const name = asObject(request.object.spec).runtimeClassName;
  if (name === undefined) return ok(undefined);
  const runtimeClass: RuntimeClass | undefined = cluster.get(
    { group: 'node.k8s.io', resource: 'runtimeclasses' },
    '',
    asString(name),
  );
  if (runtimeClass !== undefined) return ok(runtimeClass);
  const fault = invalidNameError(asString(name));
  if (fault !== undefined) return refuse(plainError(fault));
  return refuse(newForbidden(request, `pod rejected: RuntimeClass ${goQuote(asString(name))} not found`));
}

function podFixed(runtimeClass: RuntimeClass | undefined): StringMap | undefined {
  const overhead = runtimeClass?.overhead;
  return isJsonObject(overhead) ? (overhead.podFixed ?? {}) : undefined;
}

interface Scheduling {
  readonly fields: JsonObject;
  readonly conflict?: string;
}

function schedulingOf(runtimeClass: RuntimeClass, spec: Partial<PodSpec>): Scheduling {
  const { scheduling } = runtimeClass;
  if (!isJsonObject(scheduling)) return { fields: {} };
  const wanted = asObject(scheduling.nodeSelector);
  const selector = asObject(spec.nodeSelector);
  const clash = Object.keys(wanted).find((key) => Object.hasOwn(selector, key) && selector[key] !== wanted[key]);
  if (clash !== undefined) {
    const [classValue, own] = [asString(wanted[clash]), asString(selector[clash])];
    const conflict = `conflict: runtimeClass.scheduling.nodeSelector[${clash}] = ${classValue}; pod.spec.nodeSelector[${clash}] = ${own}`;
    return { fields: {}, conflict };
  }
  const tolerations = mergeTolerations(asList(spec.tolerations), asList(scheduling.tolerations));
  const nodeSelector = { ...selector, ...wanted };
  return {
    fields: {
      ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
      ...(tolerations.length === 0 ? {} : { tolerations }),
    },
  };
}
