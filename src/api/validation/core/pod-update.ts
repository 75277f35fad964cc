import { appArmorPrefix } from './pod-warnings.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { forbiddenField, goQuote, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { unifiedDiff } from '../../../machinery/patch/unified-diff.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import { each, eachKey, errorIf, type FieldErrors } from '../field-rules.ts';
import { subdomainName, immutableFieldErrors, validateKindMeta } from '../meta/object-meta.ts';
import { validateTolerations } from './affinity.ts';
import { imageWhitespaceErrors } from './containers.ts';
import { resizeErrors } from './pod-resize.ts';
import { addressErrors, claimStatusErrors, podConditionErrors, nominationErrors } from './pod-status.ts';
import { podAnnotationErrors, validatePodContent, mirror } from './pod.ts';

/** A gated pod may only add node selectors. Follows kubernetes pkg/apis/core/validation ValidatePodUpdate. */
function gatedErrors(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
  const [now, before] = [asObject(spec.nodeSelector), asObject(old.nodeSelector)];
  const isChanged = Object.keys(before).some((key) => now[key] !== before[key]);
  return [
    ...errorIf(isChanged, () =>
      invalidValue(
        'spec.nodeSelector',
        now,
        'only additions to spec.nodeSelector are allowed (no mutations or deletions)',
      ),
    ),
    ...termErrors(spec.affinity, old.affinity),
  ];
}

/** Follows kubernetes pkg/apis/core/validation validateNodeAffinityMutation. */
function termErrors(affinity: core.Affinity | undefined, old: core.Affinity | undefined): FieldErrors {
  const rules = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = (value: core.Affinity | undefined): readonly core.NodeSelectorTerm[] | null | undefined =>
    asObject(asObject(asObject(value).nodeAffinity)[rules]).nodeSelectorTerms;
  const [now, before] = [terms(affinity), asList(terms(old))];
  const path = `spec.affinity.nodeAffinity.${rules}.nodeSelectorTerms`;
  if (before.length > 0 && before.length !== asList(now).length) {
    return [invalidValue(path, now ?? null, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return before.flatMap((term, index) => {
    const next = asObject(asList(now)[index]);
    return errorIf(!hasOnlyMore(next, asObject(term)), () =>
      invalidValue(
        `${path}[${index}]`,
        toInternalForm('core.NodeSelectorTerm', next) ?? null,
        'only additions are allowed (no mutations or deletions)',
      ),
    );
  });
}

const termFields = ['matchExpressions', 'matchFields'] as const;

const hasOnlyMore = (now: core.NodeSelectorTerm, before: core.NodeSelectorTerm): boolean => {
  const isEmpty = termFields.every((field) => asList(before[field]).length === 0);
  if (isEmpty) return termFields.every((field) => asList(now[field]).length === 0);
  return termFields.every((field) =>
    asList(before[field]).every((requirement, index) => sameJson(requirement, asList(now[field])[index])),
  );
};

/** The file follows kubernetes pkg/apis/core/validation ValidatePodUpdate and those of its subresources. */
export function validatePodUpdate(pod: core.Pod, old: core.Pod, subresource: string): FieldErrors {
  if (subresource === 'status') return statusErrors(pod, old);
  const content = [...validateKindMeta(metadataOf(pod), true, subdomainName), ...validatePodContent(pod)];
  if (subresource === 'resize') return resizeErrors(pod, old, content);
  const annotations = annotationErrors(pod, old);
  const errors = [...content, ...annotations];
  if (subresource === 'ephemeralcontainers') return [...errors, ...ephemeralErrors(pod, old)];
  return [...errors, ...specErrors(asObject(pod.spec), asObject(old.spec))];
}

function annotationErrors(pod: core.Pod, old: core.Pod): FieldErrors {
  const path = 'metadata.annotations';
  const [now, before] = [metadataOf(pod).annotations ?? {}, metadataOf(old).annotations ?? {}];
  const changeError = (key: string, verb: string): FieldErrors => {
    if (key.startsWith(appArmorPrefix))
      return [forbiddenField(`${path}[${key}]`, `may not ${verb} AppArmor annotations`)];
    return errorIf(key === mirror, () => forbiddenField(`${path}[${key}]`, `may not ${verb} mirror pod annotation`));
  };
  return [
    ...eachKey(before, (key) => (now[key] === before[key] ? [] : changeError(key, 'remove or update'))),
    ...eachKey(now, (key) => (Object.hasOwn(before, key) ? [] : changeError(key, 'add'))),
    ...podAnnotationErrors(now, asObject(pod.spec), path),
  ];
}

function specErrors(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
  const errors: FieldErrors[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    const found = containerListErrors(spec[list], old[list], `spec.${list}`);
    errors.push(found.errors);
    if (found.stop) return errors.flat();
  }
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, old.activeDeadlineSeconds);
  errors.push(deadline.errors);
  if (deadline.stop) return errors.flat();
  return [...errors.flat(), ...tolerationErrors(spec, old), ...gateErrors(spec, old), ...immutableErrors(spec, old)];
}

interface Step {
  readonly errors: FieldErrors;
  readonly stop: boolean;
}

function containerListErrors(
  list: readonly core.Container[] | null | undefined,
  old: readonly core.Container[] | null | undefined,
  path: string,
): Step {
  if (asList(list).length !== asList(old).length) {
    return { errors: [forbiddenField(path, 'pod updates may not add or remove containers')], stop: true };
  }
  const errors = each(list, path, (container, at) => [
    ...errorIf(asString(container.image) === '', () => required(`${at}.image`, '')),
    ...imageWhitespaceErrors(container, at),
  ]);
  return { errors, stop: false };
}

function deadlineErrors(seconds: JsonValue | undefined, old: JsonValue | undefined): Step {
  const field = 'spec.activeDeadlineSeconds';
  if (seconds === undefined) {
    const text = 'must not update from a positive integer to nil value';
    return { errors: errorIf(old !== undefined, () => invalidValue(field, null, text)), stop: false };
  }
  if (Number(seconds) < 0 || Number(seconds) > 2147483647) {
    return { errors: [invalidValue(field, seconds, 'must be between 0 and 2147483647, inclusive')], stop: true };
  }
  const grew = old !== undefined && Number(old) < Number(seconds);
  return {
    errors: errorIf(grew, () => invalidValue(field, seconds, 'must be less than or equal to previous value')),
    stop: grew,
  };
}

function tolerationErrors(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
  const path = 'spec.tolerations';
  const now = new Set(asList(spec.tolerations).map(tolerationKey));
  const isLost = asList(old.tolerations).some((before) => !now.has(tolerationKey(before)));
  if (isLost) {
    return [forbiddenField(path, 'existing toleration can not be modified except its tolerationSeconds')];
  }
  return validateTolerations(spec.tolerations, path);
}

/** All fields but tolerationSeconds. */
function tolerationKey(toleration: core.Toleration): string {
  const { key, operator, value, effect } = asObject(toleration);
  return JSON.stringify([key, operator, value, effect].map((text) => text ?? ''));
}

function gateErrors(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
  const before = new Set(asList(old.schedulingGates).map((gate) => asString(asObject(gate).name)));
  return each(spec.schedulingGates, 'spec.schedulingGates', (gate, at) => {
    const name = asString(gate.name);
    return errorIf(!before.has(name), () =>
      forbiddenField(`${at}.name`, `only deletion is allowed, but found new scheduling gate '${name}'`),
    );
  });
}

const updatableFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

function immutableErrors(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
  if (sameJson(spec, old)) return [];
  const isGated = asList(old.schedulingGates).length > 0;
  const selectorErrors = isGated ? gatedErrors(spec, old) : [];
  const rest = withUpdatable(spec, old, isGated);
  if (sameJson(rest, old)) return selectorErrors;
  const difference = unifiedDiff(toInternalForm('core.PodSpec', old), toInternalForm('core.PodSpec', rest));
  const text = `pod updates may not change fields other than ${updatableFields}\n${difference}`;
  return [...selectorErrors, forbiddenField('spec', text)];
}

/** Replaces updatable fields by the old values. */
function withUpdatable(spec: core.PodSpec, old: core.PodSpec, isGated: boolean): JsonObject {
  const withImages = (list: 'containers' | 'initContainers'): JsonValue | undefined =>
    spec[list] &&
    asList(spec[list]).map((container, at) => ({
      ...asObject(container),
      image: asObject(asList(old[list])[at]).image,
    }));
  const grace = Number(old.terminationGracePeriodSeconds ?? 0);
  const graceMayChange = grace < 0 && spec.terminationGracePeriodSeconds === 1;
  return {
    ...spec,
    containers: withImages('containers'),
    initContainers: withImages('initContainers'),
    activeDeadlineSeconds: old.activeDeadlineSeconds,
    schedulingGates: old.schedulingGates,
    tolerations: old.tolerations,
    ...(graceMayChange ? { terminationGracePeriodSeconds: grace } : {}),
    ...(isGated ? { nodeSelector: old.nodeSelector, affinity: withNodeAffinity(spec.affinity, old.affinity) } : {}),
  };
}

/** An affinity struct that only has node affinity counts as absent. */
function withNodeAffinity(affinity: core.Affinity | undefined, old: core.Affinity | undefined): JsonObject | undefined {
  const { nodeAffinity: _now, ...others } = asObject(affinity);
  const { nodeAffinity } = asObject(old);
  const isEmpty = nodeAffinity === undefined && Object.values(others).every((value) => value === undefined);
  return isEmpty && old === undefined ? undefined : { ...others, nodeAffinity };
}

function ephemeralErrors(pod: core.Pod, old: core.Pod): FieldErrors {
  const path = 'spec.ephemeralContainers';
  if (metadataOf(old).annotations?.[mirror] !== undefined) {
    return [forbiddenField('[]', 'static pods do not support ephemeral containers')];
  }
  const now = asList(asObject(pod.spec).ephemeralContainers);
  return asList(asObject(old.spec).ephemeralContainers).flatMap((before) => {
    const name = asString(asObject(before).name);
    const same = now.find((container) => container.name === name);
    if (!same) return [forbiddenField(path, `existing ephemeral containers ${goQuote(name)} may not be removed\n`)];
    return errorIf(!sameJson(same, before), () => {
      const [was, is] = [before, same].map((container) => toInternalForm('core.EphemeralContainer', container));
      const difference = unifiedDiff(was ?? null, is ?? null);
      return forbiddenField(path, `existing ephemeral containers ${goQuote(name)} may not be changed\n${difference}`);
    });
  });
}

function statusErrors(pod: core.Pod, old: core.Pod): FieldErrors {
  const [status, oldStatus] = [asObject(pod.status), asObject(old.status)];
  return [
    ...annotationErrors(pod, old),
    ...podConditionErrors(status),
    ...nominationErrors(status, oldStatus, asString(asObject(old.spec).nodeName)),
    ...immutableFieldErrors('status.qosClass', status.qosClass, oldStatus.qosClass, ''),
    ...transitionErrors(status, oldStatus, asString(asObject(old.spec).restartPolicy)),
    ...claimStatusErrors(status.resourceClaimStatuses, asObject(pod.spec).resourceClaims),
    ...addressErrors(status, oldStatus),
  ];
}

/** A terminated container does not restart. */
function transitionErrors(status: core.PodStatus, old: core.PodStatus, restartPolicy: string): FieldErrors {
  if (restartPolicy === 'Always') return [];
  return each(old.containerStatuses, 'status.containerStatuses', (before, at) => {
    const ended = asObject(before.state).terminated;
    const mayRestart = restartPolicy === 'OnFailure' && asObject(ended).exitCode !== 0;
    if (ended === undefined || mayRestart) return [];
    const now = asList(status.containerStatuses).find(({ name }) => name === before.name);
    return errorIf(now !== undefined && asObject(now.state).terminated === undefined, () =>
      forbiddenField(`${at}.state`, 'may not be transitioned to non-terminated state'),
    );
  });
}
