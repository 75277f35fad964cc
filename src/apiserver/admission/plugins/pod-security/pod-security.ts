import { aggregateText } from '../../../../machinery/errors.ts';
import type {
  Container,
  EphemeralContainer,
  Namespace,
  Pod,
  PodTemplateSpec,
} from '../../../../api/types/generated/core-v1.ts';
import { sameJson } from '../../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject, valueAt } from '../../../../machinery/json/json.ts';
import { type FieldError, fieldErrorText, goQuote } from '../../../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../../machinery/meta/result.ts';
import { invalid } from '../../../../machinery/meta/status.ts';
import { admissionName, newForbidden, byFile, byObject, byRule, refuseBecauseOf } from '../../chain/refusal.ts';
import type { SyncPlugin, PluginAnswer, PluginPorts } from '../../chain/plugin.ts';
import { type ObjectRequest, pass } from '../handled-resource.ts';
import type { CheckedPod } from './check.ts';
import { countEvaluation, countExemption, existingPodWarnings, countPolicyError } from './existing-pods.ts';
import {
  labelPrefix,
  levels,
  type LevelVersion,
  type PodSecurityPolicy,
  policyToEvaluate,
  type PolicyDefaults,
  evaluatePod,
  aggregateViolations,
} from './policy.ts';
import { containerSeccomp, podSeccomp } from './seccomp.ts';

/** Follows pod-security-admission admission/admission.go isSignificantPodUpdate. */
function isSignificantUpdate(pod: Pod, old: KubernetesObject): boolean {
  if (annotation(pod, podSeccomp) !== annotation(old, podSeccomp)) return true;
  const isOtherContainer = (['containers', 'initContainers'] as const).some((field) => {
    const before = containersIn(old, field);
    const now = containersIn(pod, field);
    return before.length !== now.length || now.some((container, index) => differs(container, before[index]));
  });
  if (isOtherContainer) return true;
  const before = new Map(containersIn(old, 'ephemeralContainers').map((container) => [container.name, container]));
  return containersIn(pod, 'ephemeralContainers').some((container) => differs(container, before.get(container.name)));

  function differs(container: AnyContainer, before: AnyContainer = {}): boolean {
    const key = `${containerSeccomp}${asString(container.name)}`;
    return container.image !== before.image || annotation(pod, key) !== annotation(old, key);
  }
}

const annotation = (pod: Pod, key: string): string | undefined => metadataOf(pod).annotations?.[key];

type AnyContainer = Container | EphemeralContainer;

const containersIn = (
  pod: Pod,
  field: 'containers' | 'initContainers' | 'ephemeralContainers',
): readonly AnyContainer[] => asList(asObject(pod.spec)[field]);

/**
 * Enforces the Pod Security Standards by namespace labels; pod templates only get warnings. Follows
 * pod-security-admission admission/admission.go (rule PLG-14).
 */
export const createPodSecurity = (settings: PodSecuritySettings): SyncPlugin => ({
  name: 'PodSecurity',
  operations: ['CREATE', 'UPDATE'],
  validate: (request, { cluster, codec }) => {
    if (request.object === null) return pass(request);
    const { minor } = codec.types;
    const context: PodSecurityCheck = { request: { ...request, object: request.object }, cluster, settings, minor };
    const { group, resource } = request.resource;
    if (group === '' && resource === 'namespaces') return validateNamespace(context);
    if (group === '' && resource === 'pods') return validatePod(context);
    const template = templatePaths.get(`${resource}.${group}`);
    return template ? validateTemplate(context, template) : pass(request);
  },
});

/** Follows pod-security-admission admission/api/types.go. */
export interface PodSecuritySettings {
  readonly defaults: PolicyDefaults;
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

interface PodSecurityCheck {
  readonly request: ObjectRequest;
  readonly cluster: PluginPorts['cluster'];
  readonly settings: PodSecuritySettings;
  /** Of the release. */
  readonly minor: number;
}

/** The path of the pod template by resource. */
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

function validatePod(context: PodSecurityCheck): Result<PluginAnswer> {
  const { request } = context;
  if (otherSubresources.has(request.subresource)) return pass(request);
  const exempted = exemptionOf(context);
  if (exempted) return exempt(request, exempted);
  const policy = policyIn(context);
  const annotations: Annotations = { 'enforce-policy': policy.enforce.text, ...errorNote(policy) };
  if (request.operation === 'UPDATE' && !isEmpty(policy) && request.oldObject) {
    if (!isSignificantUpdate(request.object, request.oldObject)) return pass(request);
  }
  const pod = toCheckedPod(request.object);
  if (isExemptClass(pod, context)) return exempt(request, 'runtimeClass');
  const violations = evaluatePod(pod, policy.enforce);
  const isDenied = violations.length > 0;
  const enforced = countEvaluation(isDenied ? 'deny' : 'allow', policy.enforce, 'enforce', request);
  const answer = evaluateAuditAndWarn(request, isDenied ? { ...policy, warn: noWarning } : policy, pod, annotations);
  const counted = { ...answer, counts: [enforced, ...(answer.counts ?? [])] };
  if (!isDenied) return ok(counted);
  const text = `violates PodSecurity "${policy.enforce.text}": ${aggregateViolations(violations)}`;
  return ok({ ...counted, refusal: newForbidden(request, text), ...enforcedBy(context) });
}

const enforceLabel = 'pod-security.kubernetes.io/enforce';
const levelLimit = { refused: 'spec', allowed: 'what this level of the Pod Security Standards allows' };

/** The source of the enforced level: the namespace's label, else the configuration. */
function enforcedBy({ request: { namespace }, cluster }: PodSecurityCheck): Pick<PluginAnswer, 'refusedBy'> {
  const stored: Namespace | undefined = cluster.get({ group: '', resource: 'namespaces' }, '', namespace);
  if (!stored || metadataOf(stored).labels?.[enforceLabel] === undefined) {
    return { refusedBy: byFile('defaults.enforce of PodSecurity', levelLimit) };
  }
  return {
    refusedBy: byObject(stored, `label ${enforceLabel}`, levelLimit),
  };
}

function validateTemplate(context: PodSecurityCheck, path: readonly string[]): Result<PluginAnswer> {
  const { request } = context;
  const template = valueAt(request.object, ...path);
  if (request.subresource !== '' || template === undefined || template === null) return pass(request);
  const exempted = exemptionOf(context);
  if (exempted) return exempt(request, exempted);
  const policy = policyIn(context);
  const pod = toCheckedPod(asObject(template));
  if (isExemptClass(pod, context)) return exempt(request, 'runtimeClass');
  return ok(evaluateAuditAndWarn(request, policy, pod, errorNote(policy)));
}

function exemptionOf({ request, settings }: PodSecurityCheck): 'namespace' | 'user' | undefined {
  if (settings.exemptions.namespaces.includes(request.namespace)) return 'namespace';
  return settings.exemptions.usernames.includes(request.userInfo.username) ? 'user' : undefined;
}

const isExemptClass = ({ spec }: CheckedPod, { settings }: PodSecurityCheck): boolean =>
  settings.exemptions.runtimeClasses.includes(asString(spec.runtimeClassName));

type Exemption = 'namespace' | 'user' | 'runtimeClass';

const exempt = (request: ObjectRequest, why: Exemption, counts = [countExemption(request)]): Result<PluginAnswer> =>
  ok({ object: request.object, annotations: { [`${labelPrefix}exempt`]: why }, counts });

type Annotations = Readonly<Record<string, string>>;

/** A denied pod has no warnings. */
const noWarning = policyToEvaluate().warn;

function evaluateAuditAndWarn(
  request: ObjectRequest,
  policy: PodSecurityPolicy,
  pod: CheckedPod,
  annotations: Annotations,
): PluginAnswer {
  const violation = (by: LevelVersion): string | undefined => {
    const violations = evaluatePod(pod, by);
    return violations.length === 0
      ? undefined
      : `would violate PodSecurity "${by.text}": ${aggregateViolations(violations)}`;
  };
  const audited = violation(policy.audit);
  const warning = violation(policy.warn);
  const notes = { ...annotations, ...(audited === undefined ? {} : { 'audit-violations': audited }) };
  return {
    object: request.object,
    ...(warning === undefined ? {} : { warnings: [warning] }),
    counts: [
      ...(policy.errors.length > 0 ? [countPolicyError(request)] : []),
      ...(audited === undefined ? [] : [countEvaluation('deny', policy.audit, 'audit', request)]),
      ...(warning === undefined ? [] : [countEvaluation('deny', policy.warn, 'warn', request)]),
    ],
    annotations: Object.fromEntries(Object.entries(notes).map(([key, note]) => [`${labelPrefix}${key}`, note])),
  };
}

function policyIn({ request, cluster, settings, minor }: PodSecurityCheck): PodSecurityPolicy {
  const stored: Namespace | undefined = cluster.get({ group: '', resource: 'namespaces' }, '', request.namespace);
  return policyToEvaluate(stored ? metadataOf(stored).labels : undefined, settings.defaults, minor);
}

const isEmpty = ({ enforce, audit, warn, errors }: PodSecurityPolicy): boolean =>
  errors.length === 0 && [enforce, audit, warn].every(({ level }) => level === 'privileged');

const errorNote = ({ errors }: PodSecurityPolicy): Annotations =>
  errors.length === 0 ? {} : { error: `Failed to parse policy: ${aggregateText(errors.map(fieldErrorText))}` };

function toCheckedPod({ metadata, spec }: PodTemplateSpec): CheckedPod {
  return { annotations: asObject(asObject(metadata).annotations), spec: asObject(spec) };
}

/** Validates new labels; a stricter level is checked against existing pods. */
function validateNamespace({ request, cluster, settings, minor }: PodSecurityCheck): Result<PluginAnswer> {
  if (request.subresource !== '') return pass(request);
  const policyWith = (namespace: Namespace): PodSecurityPolicy =>
    policyToEvaluate(metadataOf(namespace).labels, settings.defaults, minor);
  const { errors, enforce } = policyWith(request.object);
  const old = request.oldObject ? policyWith(request.oldObject) : undefined;
  if (errors.length > 0 && !sameJson(errors.map(asJson), (old?.errors ?? []).map(asJson))) {
    const source = byRule('metadata.labels', 'levels privileged, baseline, restricted, and versions v1.N or latest');
    return refuseBecauseOf(request, invalid(request.kind, admissionName(request), errors), source);
  }
  if (old && !isStricter(enforce, old.enforce)) return pass(request);
  if (settings.exemptions.namespaces.includes(admissionName(request))) return exemptNamespace(request, settings);
  if (!old) return pass(request);
  const pods: readonly Pod[] = cluster.list({ group: '', resource: 'pods' }, admissionName(request));
  const warnings = existingPodWarnings(admissionName(request), enforce, pods.map(toNamedPod));
  return ok({ object: request.object, warnings });
}

function exemptNamespace(request: ObjectRequest, settings: PodSecuritySettings): Result<PluginAnswer> {
  const warning = exemptNamespaceWarning(request.object, settings.defaults);
  if (warning !== undefined) return ok({ object: request.object, warnings: [warning] });
  return request.oldObject ? exempt(request, 'namespace', []) : pass(request);
}

/** Follows admission.go exemptNamespaceWarning. */
function exemptNamespaceWarning(namespace: Namespace, defaults: PolicyDefaults): string | undefined {
  const { name = '', labels = {} } = metadataOf(namespace);
  const policy = policyToEvaluate(labels, defaults);
  const byDefault = policyToEvaluate({}, defaults);
  const modes = ['enforce', 'audit', 'warn'] as const;
  const isPrivileged = modes.every((mode) => policy[mode].level === 'privileged');
  if (isPrivileged || modes.every((mode) => policy[mode].text === byDefault[mode].text)) return undefined;
  const isLabelled = (mode: string): boolean =>
    [mode, `${mode}-version`].some((label) => labels[`${labelPrefix}${label}`] !== undefined);
  const ignored = modes
    .filter((mode) => policy[mode].level !== 'privileged' && isLabelled(mode))
    .map((mode) => `${mode}=${policy[mode].text}`);
  return `namespace ${goQuote(name)} is exempt from Pod Security, and the policy (${ignored.join(', ')}) will be ignored`;
}

const asJson = ({ field, value = '', detail }: FieldError): JsonObject => ({ field, value, detail });

const toNamedPod = (pod: Pod): { readonly name: string; readonly pod: CheckedPod } => ({
  name: metadataOf(pod).name ?? '',
  pod: toCheckedPod(pod),
});

function isStricter(now: LevelVersion, before: LevelVersion): boolean {
  if (now.text === before.text || now.level === 'privileged') return false;
  return now.minor !== before.minor || levels.indexOf(now.level) > levels.indexOf(before.level);
}
