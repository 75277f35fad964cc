import { forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf, type StringMap } from '../../../machinery/meta/object.ts';
import { computeQosClass } from './pod-resources.ts';
import type { Container, Pod, PodSpec } from '../../types/generated/core-v1.ts';
import { each, errorIf, type FieldErrors } from '../field-rules.ts';

/**
 * `content` are the errors of the pod itself. The file follows kubernetes pkg/apis/core/validation ValidatePodResize.
 */
export function validatePodResize(pod: Pod, old: Pod, content: FieldErrors): FieldErrors {
  const [spec, oldSpec] = [asObject(pod.spec), asObject(old.spec)];
  const never = findResizeObstacle(old, oldSpec);
  if (never !== '') return [forbiddenField('[]', never)];
  const { qosClass } = asObject(pod.status);
  const before = asObject(old.status).qosClass ?? computeQosClass(oldSpec);
  const errors = [
    ...content,
    ...errorIf(before !== computeQosClass(spec), () =>
      invalidValue('spec', asString(qosClass), 'Pod QOS Class may not change as a result of resizing'),
    ),
    ...errorIf(!isResizeSupported(old), () => forbiddenField('spec', 'Pod running on node without support for resize')),
  ];
  const unordered = resizableLists.flatMap((list) => validateContainerOrder(spec[list], oldSpec[list], list));
  if (unordered.length > 0) return [...errors, ...unordered];
  return [
    ...errors,
    ...resizableLists.toReversed().flatMap((list) => validateResourcesNotRemoved(spec, oldSpec, list)),
    ...validateOnlyCpuAndMemoryChanged(spec, oldSpec),
  ];
}

const resizableLists = ['containers', 'initContainers'] as const;

function findResizeObstacle(old: Pod, spec: PodSpec): string {
  if (metadataOf(old).annotations?.['kubernetes.io/config.mirror'] !== undefined)
    return 'static pods cannot be resized';
  return asObject(spec.os).name === 'windows' ? 'windows pods cannot be resized' : '';
}

/** A kubelet with resize support reports resources of running containers. */
function isResizeSupported(old: Pod): boolean {
  const statuses = asList(asObject(old.status).containerStatuses);
  const running = statuses.find(({ state }) => asObject(state).running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function validateContainerOrder(
  now: readonly Container[] | null | undefined,
  old: readonly Container[] | null | undefined,
  list: string,
): FieldErrors {
  const before = asList(old);
  if (asList(now).length !== before.length) {
    return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return each(now, `spec.${list}`, (container, at, index) =>
    errorIf(container.name !== before[index]?.name, () =>
      forbiddenField(`${at}.name`, `${list} may not be renamed or reordered on resize`),
    ),
  );
}

const readResources = (container: Container | undefined, field: 'limits' | 'requests'): StringMap =>
  asObject(asObject(asObject(container).resources)[field]);

function validateResourcesNotRemoved(spec: PodSpec, old: PodSpec, list: (typeof resizableLists)[number]): FieldErrors {
  const before = asList(old[list]);
  return each(spec[list], `spec.${list}`, (container, at, index) =>
    list === 'initContainers' && asObject(before[index]).restartPolicy !== 'Always'
      ? []
      : (['requests', 'limits'] as const).flatMap((field) => {
          const now = readResources(container, field);
          const isLost = Object.keys(readResources(before[index], field)).some((name) => now[name] === undefined);
          return errorIf(isLost, () =>
            forbiddenField(`${at}.resources.${field}`, `resource ${field} cannot be removed`),
          );
        }),
  );
}

/** Only cpu and memory may change. */
function validateOnlyCpuAndMemoryChanged(spec: PodSpec, old: PodSpec): FieldErrors {
  const rest = (container: Container): JsonObject => {
    const { resizePolicy: _policy, resources: _resources, ...others } = container;
    const kept = (field: 'limits' | 'requests'): JsonObject => {
      const { cpu: _cpu, memory: _memory, ...more } = readResources(container, field);
      return more;
    };
    return { ...others, requests: kept('requests'), limits: kept('limits') };
  };
  const before = (list: (typeof resizableLists)[number], index: number): Container =>
    asObject(asList(old[list])[index]);
  return [
    ...each(spec.containers, 'spec.containers', (container, _at, index) =>
      errorIf(!sameJson(rest(container), rest(before('containers', index))), () =>
        forbiddenField('spec', 'only cpu and memory resources are mutable'),
      ),
    ),
    ...each(spec.initContainers, 'spec.initContainers', (container, at, index) => {
      const was = before('initContainers', index);
      if (container.restartPolicy !== 'Always') {
        return errorIf(!sameJson(container, was), () =>
          forbiddenField('spec', 'resources for non-sidecar init containers are immutable'),
        );
      }
      return errorIf(!sameJson(rest(container), rest(was)), () =>
        forbiddenField(at, 'only cpu and memory resources for init or sidecar containers are mutable'),
      );
    }),
  ];
}
