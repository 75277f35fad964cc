import { expect, test } from 'vitest';
import { createPodSecurity } from '../../../../../src/apiserver/admission/plugins/pod-security/pod-security.ts';
import type { AdmissionAttributes } from '../../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, portsOf } from '../../../../harness/builtin-plugin.ts';
import { defaultSettings } from '../../../../../src/apiserver/admission/plugins/plugin-settings.ts';

const podSecurity = createPodSecurity(defaultSettings.podSecurity);

const prefix = 'pod-security.kubernetes.io/';

/** A namespace with these labels of the plugin. */
const namespace = (labels: Readonly<Record<string, string>>, name = 'ns'): KubernetesObject =>
  withMetadata(object('v1', 'Namespace', name), {
    labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${prefix}${key}`, value])),
  });

const pod = (spec: JsonObject, name = 'p'): KubernetesObject =>
  object('v1', 'Pod', name, { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
const container = (securityContext: JsonObject): JsonObject => ({
  containers: [{ name: 'c', image: 'i', securityContext }],
});
const strict = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const good = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  ...container(strict),
};

/** The refusal or the warnings, and the audit annotations. */
function outcome(
  request: AdmissionAttributes,
  labels: Readonly<Record<string, string>>,
  pods: KubernetesObject[] = [],
) {
  const answer = podSecurity.validate?.(request, portsOf(clusterOf({ namespaces: [namespace(labels)], pods })));
  if (!answer?.ok) return answer?.status.message;
  const { warnings = [], annotations = {}, refusal } = answer.value;
  if (refusal) return refusal.message;
  return { warnings, annotations };
}

const denied = (level: string, text: string): string =>
  `pods "p" is forbidden: violates PodSecurity "${level}": ${text}`;

// Source: kubernetes staging/src/k8s.io/pod-security-admission/policy/check_*_test.go.
const rules: readonly [fact: string, level: string, spec: JsonObject, text: string][] = [
  [
    'seccomp of pod and container',
    'baseline',
    {
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      ...container({ seccompProfile: { type: 'Unconfined' } }),
    },
    'seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'host processes of Windows',
    'baseline',
    { securityContext: { windowsOptions: { hostProcess: true } } },
    'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  ],
  [
    'hosts of probes',
    'baseline',
    { containers: [{ name: 'c', livenessProbe: { httpGet: { host: 'x' } } }] },
    'probe or lifecycle host (container "c" uses probe or lifecycle host "x")',
  ],
  [
    'init containers count',
    'baseline',
    { initContainers: [{ name: 'i', securityContext: { privileged: true } }] },
    'privileged (container "i" must not set securityContext.privileged=true)',
  ],
];

const enforced = (policy: string): JsonObject => ({
  warnings: [],
  annotations: { [`${prefix}enforce-policy`]: policy },
});

// Source: the same, with the versions at which a rule begins or ends; check_procMount_restricted.go, check_seccompProfile_baseline.go.
const unmasked = { hostUsers: false, containers: [{ name: 'c', securityContext: { procMount: 'Unmasked' } }] };
const proc = 'procMount (container "c" must not set securityContext.procMount to "Unmasked")';
const capable = container({ capabilities: { add: ['NET_ADMIN'] } });
const versions: readonly [fact: string, level: string, version: string, spec: JsonObject, text: string | undefined][] =
  [
    [
      'what was never allowed is not at the first version either',
      'baseline',
      'v1.0',
      capable,
      'non-default capabilities (container "c" must not include "NET_ADMIN" in securityContext.capabilities.add)',
    ],
    ['/proc unmasked by a pod with users of its own', 'baseline', 'v1.35', unmasked, undefined],
    ['before 1.35 its users do not matter', 'baseline', 'v1.34', unmasked, proc],
    [
      'and at level restricted they never do',
      'restricted',
      'v1.35',
      { ...good, hostUsers: false, ...container({ ...strict, procMount: 'Unmasked' }) },
      proc,
    ],
    [
      'the rule of restricted takes the place of that of baseline',
      'restricted',
      'latest',
      { ...good, ...container({ ...strict, procMount: 'Unmasked' }) },
      proc,
    ],
  ];

test.each(versions)('%s', (_fact, ...[level, version, spec, text]) => {
  const seen = outcome(creating(pod(spec), 'pods'), { enforce: level, 'enforce-version': version });
  expect(seen).toEqual(text === undefined ? enforced(`${level}:${version}`) : denied(`${level}:${version}`, text));
});

const podAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const containerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/c';
test.each<[string, string, string, Readonly<Record<string, string>>, string | undefined]>([
  ['of the pod', 'baseline', 'v1.0', { [podAnnotation]: 'unconfined' }, ` ${podAnnotation}="unconfined"`],
  ['of the pod, restricted', 'restricted', 'v1.7', { [podAnnotation]: 'x' }, ` ${podAnnotation}="x"`],
  ['of a container', 'baseline', 'v1.18', { [containerAnnotation]: '' }, ` ${containerAnnotation}=""`],
  [
    'of both',
    'baseline',
    'v1.5',
    { [podAnnotation]: 'a', [containerAnnotation]: 'b' },
    `s ${containerAnnotation}="b", ${podAnnotation}="a"`,
  ],
  ['of no container', 'baseline', 'v1.5', { 'container.seccomp.security.alpha.kubernetes.io/d': 'b' }, undefined],
  [
    'allowed',
    'baseline',
    'v1.5',
    { [podAnnotation]: 'localhost/x', [containerAnnotation]: 'docker/default' },
    undefined,
  ],
  ['since 1.19 it says nothing', 'baseline', 'v1.19', { [podAnnotation]: 'unconfined' }, undefined],
])('seccomp by annotation: %s', (_fact, ...[level, version, annotations, text]) => {
  const bad = withMetadata(pod(good), { annotations });
  const seen = outcome(creating(bad, 'pods'), { enforce: level, 'enforce-version': version });
  const policy = `${level}:${version}`;
  expect(seen).toEqual(
    text === undefined ? enforced(policy) : denied(policy, `seccompProfile (forbidden annotation${text})`),
  );
});

test.each(rules)('%s', (_fact, level, spec, text) => {
  expect(outcome(creating(pod(spec), 'pods'), { enforce: level })).toBe(denied(`${level}:latest`, text));
});

test.each<[string, Readonly<Record<string, string>>, JsonObject, unknown]>([
  ['without labels everything is allowed', {}, { hostPID: true }, enforced('privileged:latest')],
  ['a good pod passes restricted', { enforce: 'restricted' }, good, enforced('restricted:latest')],
  [
    'a version asks only what it knew',
    { enforce: 'baseline', 'enforce-version': 'v1.33' },
    { containers: [{ name: 'c', livenessProbe: { httpGet: { host: 'x' } } }] },
    enforced('baseline:v1.33'),
  ],
  [
    'warn warns',
    { warn: 'baseline' },
    { hostPID: true },
    {
      ...enforced('privileged:latest'),
      warnings: ['would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)'],
    },
  ],
  [
    'audit notes',
    { audit: 'baseline', 'audit-version': 'v1.30' },
    { hostPID: true },
    {
      warnings: [],
      annotations: {
        [`${prefix}enforce-policy`]: 'privileged:latest',
        [`${prefix}audit-violations`]: 'would violate PodSecurity "baseline:v1.30": host namespaces (hostPID=true)',
      },
    },
  ],
])('%s', (_fact, labels, spec, seen) => {
  expect(outcome(creating(pod(spec), 'pods'), labels)).toEqual(seen);
});

test('a Deployment is only warned of', () => {
  const template = { spec: { hostPID: true, containers: [] } };
  const request = creating(object('apps/v1', 'Deployment', 'd', { spec: { template } }), 'deployments');
  expect(outcome(request, { enforce: 'baseline', warn: 'baseline' })).toEqual({
    warnings: ['would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)'],
    annotations: {},
  });
});

test.each<[string, string, unknown]>([
  ['an update that leaves the containers alone is not looked at', 'i', { warnings: [], annotations: {} }],
  ['a new image is', 'j', denied('baseline:latest', 'host namespaces (hostPID=true)')],
])('%s', (_fact, image, seen) => {
  const now = pod({ hostPID: true, containers: [{ name: 'c', image }] });
  const request = { ...creating(now, 'pods'), operation: 'UPDATE', oldObject: pod({ hostPID: true }) } as const;
  expect(outcome(request, { enforce: 'baseline' })).toEqual(seen);
});

const changed = (
  labels: Readonly<Record<string, string>>,
  before: Readonly<Record<string, string>>,
): AdmissionAttributes => ({
  ...creating(namespace(labels), 'namespaces'),
  operation: 'UPDATE',
  oldObject: namespace(before),
});

test.each<[string, AdmissionAttributes, unknown]>([
  [
    'a level that does not exist is refused',
    creating(namespace({ enforce: 'strictest' }, 'x'), 'namespaces', { namespace: 'x' }),
    `Namespace "x" is invalid: metadata.labels[${prefix}enforce]: Invalid value: "strictest": must be one of privileged, baseline, restricted`,
  ],
  [
    'so is a version',
    creating(namespace({ 'warn-version': '1.30' }, 'x'), 'namespaces', { namespace: 'x' }),
    `Namespace "x" is invalid: metadata.labels[${prefix}warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"`,
  ],
  [
    'one that was there before may stay',
    changed({ enforce: 'x' }, { enforce: 'x' }),
    { warnings: [], annotations: {} },
  ],
  [
    'a stricter level is held against the pods that are there',
    changed({ enforce: 'baseline' }, {}),
    {
      warnings: [
        'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
        'a (and 1 other pod): host namespaces',
        'c: host namespaces, privileged',
      ],
      annotations: {},
    },
  ],
  [
    'a laxer one is not',
    changed({ enforce: 'baseline' }, { enforce: 'restricted' }),
    { warnings: [], annotations: {} },
  ],
])('%s', (_fact, request, seen) => {
  const pods = [
    pod({ hostPID: true }, 'b'),
    pod({ hostPID: true }, 'a'),
    pod({ hostPID: true, ...container({ privileged: true }) }, 'c'),
    pod({}, 'd'),
  ];
  expect(outcome(request, {}, pods)).toEqual(seen);
});

// Source: pod-security-admission metrics/metrics.go RecordEvaluation, admission/admission.go EvaluatePod.
const host = { hostPID: true };
test.each<[string, Readonly<Record<string, string>>, JsonObject, readonly string[]]>([
  ['a namespace that asks nothing', {}, host, ['evaluations_total allow,privileged,latest,enforce,create,pod,']],
  [
    'a refusal brings no warning',
    { enforce: 'baseline', 'enforce-version': 'v1.30', warn: 'baseline', audit: 'restricted' },
    host,
    [
      'evaluations_total deny,baseline,v1.30,enforce,create,pod,',
      'evaluations_total deny,restricted,latest,audit,create,pod,',
    ],
  ],
  [
    'warn of a version to come',
    { warn: 'baseline', 'warn-version': 'v1.99' },
    host,
    [
      'evaluations_total allow,privileged,latest,enforce,create,pod,',
      'evaluations_total deny,baseline,future,warn,create,pod,',
    ],
  ],
  [
    'a label that makes no sense',
    { enforce: 'x' },
    good,
    ['evaluations_total allow,restricted,latest,enforce,create,pod,', 'errors_total false,create,pod,'],
  ],
])('what is counted: %s', (_fact, labels, spec, seen) => {
  const answer = podSecurity.validate?.(
    creating(pod(spec), 'pods'),
    portsOf(clusterOf({ namespaces: [namespace(labels)] })),
  );
  const counts = answer?.ok ? (answer.value.counts ?? []) : [];
  expect(counts.map((count) => `${count.metric} ${count.labels.join(',')}`)).toEqual(
    seen.map((line) => `pod_security_${line}`),
  );
});

// Source: pod-security-admission admission/admission.go ValidatePod, ValidateNamespace, metrics/metrics.go RecordExemption.
test('what is exempt is counted, namespaces are not', () => {
  const { podSecurity: settings } = defaultSettings;
  const exempting = createPodSecurity({ ...settings, exemptions: { ...settings.exemptions, namespaces: ['ns'] } });
  const ports = portsOf(clusterOf({ namespaces: [namespace({})] }));
  const counted = (request: AdmissionAttributes): unknown => {
    const answer = exempting.validate?.(request, ports);
    return answer?.ok ? answer.value.counts : answer;
  };
  expect(counted(creating(pod(host), 'pods'))).toEqual([
    { metric: 'pod_security_exemptions_total', labels: ['create', 'pod', ''] },
  ]);
  expect(counted(changed({ enforce: 'baseline' }, {}))).toBeUndefined();
});

// Source: pod-security-admission admission/admission.go exemptNamespaceWarning.
test.each<
  readonly [
    what: string,
    labels: Readonly<Record<string, string>>,
    old: Readonly<Record<string, string>> | undefined,
    ignored: string | undefined,
  ]
>([
  ['a new namespace', { enforce: 'baseline' }, undefined, 'enforce=baseline:latest'],
  [
    'a label that is added',
    { enforce: 'restricted', audit: 'baseline', warn: 'privileged' },
    {},
    'enforce=restricted:latest, audit=baseline:latest',
  ],
  ['a version', { enforce: 'baseline', 'enforce-version': 'v1.30' }, {}, 'enforce=baseline:v1.30'],
  ['no label', {}, undefined, undefined],
  ['a privileged level', { enforce: 'privileged' }, undefined, undefined],
  ['a label that was there', { enforce: 'baseline' }, { enforce: 'baseline' }, undefined],
])('the labels of an exempt namespace have no effect: %s', (_what, labels, old, ignored) => {
  const { podSecurity: settings } = defaultSettings;
  const exempting = createPodSecurity({ ...settings, exemptions: { ...settings.exemptions, namespaces: ['ns'] } });
  const request = old === undefined ? creating(namespace(labels), 'namespaces') : changed(labels, old);
  const answer = exempting.validate?.(request, portsOf(clusterOf({})));
  expect(answer?.ok ? (answer.value.warnings ?? []) : answer).toEqual(
    ignored === undefined
      ? []
      : [`namespace "ns" is exempt from Pod Security, and the policy (${ignored}) will be ignored`],
  );
});
