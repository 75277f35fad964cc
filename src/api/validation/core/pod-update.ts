import { appArmorPrefix } from './pod-warnings.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { forbiddenField, goQuote, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { unifiedDiff } from '../../../machinery/patch/unified-diff.ts';
import type * as core from '../../types/generated/core-v1.ts';
import { toInternalForm } from '../../types/internal-form.ts';
import { each, eachKey, errorIf, type FieldErrors } from '../field-rules.ts';
import { subdomainName, validateImmutableField, validateCoreObjectMeta } from '../meta/object-meta.ts';
import { requiredRules, validateTolerations } from './affinity.ts';
import { validateImageWhitespace } from './containers.ts';
import { validatePodResize } from './pod-resize.ts';
import {
  validatePodAddresses,
  validatePodResourceClaimStatuses,
  validatePodConditions,
  validateNominatedNode,
} from './pod-status.ts';
import { validatePodSpecificAnnotations, validatePodMetadataAndSpec, mirrorAnnotation } from './pod.ts';

/** A gated pod may only add node selectors. Follows kubernetes pkg/apis/core/validation ValidatePodUpdate. */
function validateGatedPodUpdate(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
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
    ...validateNodeAffinityMutation(spec.affinity, old.affinity),
  ];
}

/** Follows kubernetes pkg/apis/core/validation validateNodeAffinityMutation. */
function validateNodeAffinityMutation(
  affinity: core.Affinity | undefined,
  old: core.Affinity | undefined,
): FieldErrors {
  const terms = (value: core.Affinity | undefined): readonly core.NodeSelectorTerm[] | null | undefined =>
    asObject(asObject(asObject(value).nodeAffinity)[requiredRules]).nodeSelectorTerms;
  const [now, before] = [terms(affinity), asList(terms(old))];
  const path = `spec.affinity.nodeAffinity.${requiredRules}.nodeSelectorTerms`;
  if (before.length > 0 && before.length !== asList(now).length) {
    return [invalidValue(path, now ?? null, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return before.flatMap((term, index) => {
    const next = asObject(asList(now)[index]);
    return errorIf(!hasOnlyAdditions(next, asObject(term)), () =>
      invalidValue(
        `${path}[${index}]`,
        toInternalForm('core.NodeSelectorTerm', next) ?? null,
        'only additions are allowed (no mutations or deletions)',
      ),
    );
  });
}

const termFields = ['matchExpressions', 'matchFields'] as const;

const hasOnlyAdditions = (now: core.NodeSelectorTerm, before: core.NodeSelectorTerm): boolean => {
  const isEmpty = termFields.every((field) => asList(before[field]).length === 0);
  if (isEmpty) return termFields.every((field) => asList(now[field]).length === 0);
  return termFields.every((field) =>
    asList(before[field]).every((requirement, index) => sameJson(requirement, asList(now[field])[index])),
  );
};

/** The file follows kubernetes pkg/apis/core/validation ValidatePodUpdate and those of its subresources. */
export function validatePodUpdate(pod: core.Pod, old: core.Pod, subresource: string): FieldErrors {
  if (subresource === 'status') return validatePodStatusUpdate(pod, old);
  const content = [...validateCoreObjectMeta(metadataOf(pod), true, subdomainName), ...validatePodMetadataAndSpec(pod)];
  if (subresource === 'resize') return validatePodResize(pod, old, content);
  const annotations = validatePodAnnotationsUpdate(pod, old);
  const errors = [...content, ...annotations];
  if (subresource === 'ephemeralcontainers') return [...errors, ...validatePodEphemeralContainersUpdate(pod, old)];
  return [...errors, ...validatePodSpecUpdate(asObject(pod.spec), asObject(old.spec))];
}

function validatePodAnnotationsUpdate(pod: core.Pod, old: core.Pod): FieldErrors {
  const path = 'metadata.annotations';
  const [now, before] = [metadataOf(pod).annotations ?? {}, metadataOf(old).annotations ?? {}];
  const changeError = (key: string, verb: string): FieldErrors => {
    if (key.startsWith(appArmorPrefix))
      return [forbiddenField(`${path}[${key}]`, `may not ${verb} AppArmor annotations`)];
    return errorIf(key === mirrorAnnotation, () =>
      forbiddenField(`${path}[${key}]`, `may not ${verb} mirror pod annotation`),
    );
  };
  return [
    ...eachKey(before, (key) => (now[key] === before[key] ? [] : changeError(key, 'remove or update'))),
    ...eachKey(now, (key) => (Object.hasOwn(before, key) ? [] : changeError(key, 'add'))),
    ...validatePodSpecificAnnotations(now, asObject(pod.spec), path),
  ];
}

function validatePodSpecUpdate(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
  const errors: FieldErrors[] = [];
  for (const list of ['containers', 'initContainers'] as const) {
    const found = validateContainersUpdate(spec[list], old[list], `spec.${list}`);
    errors.push(found.errors);
    if (found.stop) return errors.flat();
  }
  const deadline = validateActiveDeadlineUpdate(spec.activeDeadlineSeconds, old.activeDeadlineSeconds);
  errors.push(deadline.errors);
  if (deadline.stop) return errors.flat();
  return [
    ...errors.flat(),
    ...validateOnlyAddedTolerations(spec, old),
    ...validateOnlyDeletedSchedulingGates(spec, old),
    ...validateImmutablePodSpec(spec, old),
  ];
}

interface StepResult {
  readonly errors: FieldErrors;
  readonly stop: boolean;
}

function validateContainersUpdate(
  list: readonly core.Container[] | null | undefined,
  old: readonly core.Container[] | null | undefined,
  path: string,
): StepResult {
  if (asList(list).length !== asList(old).length) {
    return { errors: [forbiddenField(path, 'pod updates may not add or remove containers')], stop: true };
  }
  const errors = each(list, path, (container, at) => [
    ...errorIf(asString(container.image) === '', () => required(`${at}.image`, '')),
    ...validateImageWhitespace(container, at),
  ]);
  return { errors, stop: false };
}

function validateActiveDeadlineUpdate(seconds: JsonValue | undefined, old: JsonValue | undefined): StepResult {
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

function validateOnlyAddedTolerations(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
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

function validateOnlyDeletedSchedulingGates(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
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

function validateImmutablePodSpec(spec: core.PodSpec, old: core.PodSpec): FieldErrors {
  if (sameJson(spec, old)) return [];
  const isGated = asList(old.schedulingGates).length > 0;
  const selectorErrors = isGated ? validateGatedPodUpdate(spec, old) : [];
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

function validatePodEphemeralContainersUpdate(pod: core.Pod, old: core.Pod): FieldErrors {
  const path = 'spec.ephemeralContainers';
  if (metadataOf(old).annotations?.[mirrorAnnotation] !== undefined) {
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

function validatePodStatusUpdate(pod: core.Pod, old: core.Pod): FieldErrors {
  const [status, oldStatus] = [asObject(pod.status), asObject(old.status)];
  return [
    ...validatePodAnnotationsUpdate(pod, old),
    ...validatePodConditions(status),
    ...validateNominatedNode(status, oldStatus, asString(asObject(old.spec).nodeName)),
    ...validateImmutableField('status.qosClass', status.qosClass, oldStatus.qosClass, ''),
    ...validateContainerStateTransition(status, oldStatus, asString(asObject(old.spec).restartPolicy)),
    ...validatePodResourceClaimStatuses(status.resourceClaimStatuses, asObject(pod.spec).resourceClaims),
    ...validatePodAddresses(status, oldStatus),
  ];
}

/** A terminated container does not restart. */
function validateContainerStateTransition(
  status: core.PodStatus,
  old: core.PodStatus,
  restartPolicy: string,
): FieldErrors {
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
