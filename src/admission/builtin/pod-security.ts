import { fieldErrorText } from '../../apimachinery/field-error.ts';
import type { FieldError } from '../../apimachinery/field-error.ts';
import { asObject, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { invalid } from '../../apimachinery/status.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { admissionName, newForbidden } from '../forbidden.ts';
import type { BuiltinPlugin, PluginAnswer, PluginPorts } from '../plugin.ts';
import { pass } from './handled-resource.ts';
import type { ObjectRequest } from './handled-resource.ts';
import { existingPodWarnings } from './pod-security/existing-pods.ts';
import { isSignificantUpdate } from './pod-security/pod-update.ts';
import type { CheckedPod } from './pod-security/check.ts';
import { evaluation, policyError } from './pod-security/counts.ts';
import { labelPrefix, levels, policyOf, violationsOf, violationsText } from './pod-security/policy.ts';
import type { LevelVersion, PodSecurityPolicy } from './pod-security/policy.ts';

/**
 * The Pod Security Standards, as the labels of the namespace ask for them: pods are refused, pods and what makes pods
 * warned of. Follows pod-security-admission admission/admission.go (rule PLG-14).
 */
export const podSecurity: BuiltinPlugin = {
  name: 'PodSecurity',
  operations: ['CREATE', 'UPDATE'],
  validate: (request, ports) => {
    if (request.object === null) return pass(request);
    const { object } = request;
    const { group, resource } = request.resource;
    if (group === '' && resource === 'namespaces') return namespaceAnswer({ ...request, object }, ports);
    if (group === '' && resource === 'pods') return podAnswer({ ...request, object }, ports);
    const template = templatePaths.get(`${resource}.${group}`);
    return template ? templateAnswer({ ...request, object }, ports, template) : pass(request);
  },
};

/** Where the resources that make pods keep their pod template. */
const templatePaths: ReadonlyMap<string, readonly string[]> = new Map([
  ['podtemplates.', ['template']],
  ['replicationcontrollers.', ['spec', 'template']],
  ['replicasets.apps', ['spec', 'template']],
  ['deployments.apps', ['spec', 'template']],
  ['statefulsets.apps', ['spec', 'template']],
  ['daemonsets.apps', ['spec', 'template']],
  ['jobs.batch', ['spec', 'template']],
  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],
]);

const otherSubresources = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']);

function podAnswer(request: ObjectRequest, ports: PluginPorts): Result<PluginAnswer> {
  if (otherSubresources.has(request.subresource)) return pass(request);
  const policy = policyIn(request, ports);
  const annotations: Annotations = { 'enforce-policy': policy.enforce.text, ...errorNote(policy) };
  if (request.operation === 'UPDATE' && !asksNothing(policy) && request.oldObject) {
    if (!isSignificantUpdate(request.object, request.oldObject)) return pass(request);
  }
  const pod = checkedPod(request.object);
  const violations = violationsOf(pod, policy.enforce);
  const isDenied = violations.length > 0;
  const enforced = evaluation(isDenied ? 'deny' : 'allow', policy.enforce, 'enforce', request);
  const answer = evaluated(request, isDenied ? { ...policy, warn: noWarning } : policy, pod, annotations);
  const counted = { ...answer, counts: [enforced, ...(answer.counts ?? [])] };
  if (!isDenied) return ok(counted);
  const text = `violates PodSecurity "${policy.enforce.text}": ${violationsText(violations)}`;
  return ok({ ...counted, refusal: newForbidden(request, text) });
}

function templateAnswer(request: ObjectRequest, ports: PluginPorts, path: readonly string[]): Result<PluginAnswer> {
  const template = valueAt(request.object, ...path);
  if (request.subresource !== '' || template === undefined || template === null) return pass(request);
  const policy = policyIn(request, ports);
  return ok(evaluated(request, policy, checkedPod(template), errorNote(policy)));
}

type Annotations = Readonly<Record<string, string>>;

/** A pod that is refused brings no warnings. */
const noWarning = policyOf().warn;

/** The object with the warning and the notes that the policy asks for. */
function evaluated(
  request: ObjectRequest,
  policy: PodSecurityPolicy,
  pod: CheckedPod,
  annotations: Annotations,
): PluginAnswer {
  const complaint = (by: LevelVersion): string | undefined => {
    const violations = violationsOf(pod, by);
    return violations.length === 0
      ? undefined
      : `would violate PodSecurity "${by.text}": ${violationsText(violations)}`;
  };
  const audited = complaint(policy.audit);
  const warning = complaint(policy.warn);
  const notes = { ...annotations, ...(audited === undefined ? {} : { 'audit-violations': audited }) };
  return {
    object: request.object,
    ...(warning === undefined ? {} : { warnings: [warning] }),
    counts: [
      ...(policy.errors.length > 0 ? [policyError(request)] : []),
      ...(audited === undefined ? [] : [evaluation('deny', policy.audit, 'audit', request)]),
      ...(warning === undefined ? [] : [evaluation('deny', policy.warn, 'warn', request)]),
    ],
    annotations: Object.fromEntries(Object.entries(notes).map(([key, note]) => [`${labelPrefix}${key}`, note])),
  };
}

function policyIn({ namespace }: AdmissionAttributes, { cluster }: PluginPorts): PodSecurityPolicy {
  const stored = cluster.get({ group: '', resource: 'namespaces' }, '', namespace);
  return policyOf(stored ? metadataOf(stored).labels : undefined);
}

const asksNothing = ({ enforce, audit, warn, errors }: PodSecurityPolicy): boolean =>
  errors.length === 0 && [enforce, audit, warn].every(({ level }) => level === 'privileged');

function errorNote({ errors }: PodSecurityPolicy): Annotations {
  const texts = errors.map(fieldErrorText);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return texts.length === 0 ? {} : { error: `Failed to parse policy: ${all}` };
}

function checkedPod(object: JsonValue): CheckedPod {
  const { metadata, spec } = asObject(object);
  return { annotations: asObject(asObject(metadata)['annotations']), spec: asObject(spec) };
}

/** New labels must make sense; pods that are there already are held against a stricter level. */
function namespaceAnswer(request: ObjectRequest, { cluster }: PluginPorts): Result<PluginAnswer> {
  if (request.subresource !== '') return pass(request);
  const { errors, enforce } = policyOf(metadataOf(request.object).labels);
  const old = request.oldObject ? policyOf(metadataOf(request.oldObject).labels) : undefined;
  if (errors.length > 0 && !sameJson(errors.map(asJson), (old?.errors ?? []).map(asJson))) {
    return refuse(invalid(request.kind, admissionName(request), errors));
  }
  if (!old || !isStricter(enforce, old.enforce)) return pass(request);
  const pods = cluster.list({ group: '', resource: 'pods' }, admissionName(request));
  const warnings = existingPodWarnings(admissionName(request), enforce, pods.map(named));
  return ok({ object: request.object, warnings });
}

const asJson = ({ field, value = '', detail }: FieldError): JsonObject => ({ field, value, detail });

const named = (pod: KubernetesObject): { readonly name: string; readonly pod: CheckedPod } => ({
  name: metadataOf(pod).name ?? '',
  pod: checkedPod(pod),
});

function isStricter(now: LevelVersion, before: LevelVersion): boolean {
  if (now.text === before.text || now.level === 'privileged') return false;
  return now.minor !== before.minor || levels.indexOf(now.level) > levels.indexOf(before.level);
}
