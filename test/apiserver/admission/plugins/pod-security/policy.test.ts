import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';
import { hasOwnUsers, isWindows } from '../../../../../src/apiserver/admission/plugins/pod-security/check.ts';
import {
  countEvaluation,
  existingPodWarnings,
} from '../../../../../src/apiserver/admission/plugins/pod-security/existing-pods.ts';
import {
  policyToEvaluate,
  evaluatePod,
  aggregateViolations,
} from '../../../../../src/apiserver/admission/plugins/pod-security/policy.ts';

type Level = 'baseline' | 'restricted';

/** What a pod does that a level forbids at a version. */
function violations(level: Level, minor: number, spec: JsonObject, annotations: JsonObject = {}): string {
  return aggregateViolations(evaluatePod({ annotations, spec }, { level, minor, newest: Infinity, text: '' }));
}

const containers = (...contexts: readonly JsonObject[]): JsonObject => ({
  containers: contexts.map((securityContext, at) => ({ name: 'abc'[at] ?? '', image: 'i', securityContext })),
});

/** Fine at level restricted; what is given comes on top. */
const strict = (more: JsonObject): JsonObject => ({
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
  ...more,
});

const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

// Source: kubernetes staging/src/k8s.io/pod-security-admission policy/check_appArmorProfile_test.go
test.each<[fact: string, annotations: JsonObject, spec: JsonObject, text: string]>([
  ['none', {}, {}, ''],
  ['what is empty', { [`${appArmor}a`]: '' }, {}, ''],
  ['runtime/default', { [`${appArmor}a`]: 'runtime/default' }, {}, ''],
  ['one of the machine', { [`${appArmor}a`]: 'localhost/x' }, {}, ''],
  ['another key', { [`x/${appArmor}`]: 'unconfined', [`${appArmor.slice(1)}a`]: 'unconfined' }, {}, ''],
  [
    'unconfined',
    { [`${appArmor}a`]: 'unconfined' },
    {},
    `forbidden AppArmor profile (annotation must not set AppArmor profile type to "${appArmor}a="unconfined"")`,
  ],
  [
    'two annotations',
    { [`${appArmor}b`]: 'x/localhost/', [`${appArmor}a`]: 'unconfined' },
    {},
    `forbidden AppArmor profiles (annotations must not set AppArmor profile type to "${appArmor}a="unconfined"", "${appArmor}b="x/localhost/"")`,
  ],
  ['RuntimeDefault', {}, containers({ appArmorProfile: { type: 'RuntimeDefault' } }), ''],
  ['Localhost', {}, containers({ appArmorProfile: { type: 'Localhost' } }), ''],
  [
    'of pod and container',
    {},
    {
      securityContext: { appArmorProfile: { type: 'Unconfined' } },
      ...containers({ appArmorProfile: { type: 'Other' } }, {}),
    },
    'forbidden AppArmor profiles (pod and container "a" must not set AppArmor profile type to "Other", "Unconfined")',
  ],
])('AppArmor by %s', (_fact, annotations, spec, text) => {
  expect(violations('baseline', Infinity, spec, annotations)).toBe(text);
});

const ports = (...hostPorts: readonly (number | undefined)[]): JsonObject => ({
  containers: [{ name: 'a', ports: hostPorts.map((hostPort) => (hostPort === undefined ? {} : { hostPort })) }],
});

// Source: check_hostPorts_test.go
test.each<[hostPorts: readonly (number | undefined)[], text: string]>([
  [[], ''],
  [[undefined], ''],
  [[0], ''],
  [[1], 'hostPort (container "a" uses hostPort 1)'],
  [[undefined, 0, 2, 1], 'hostPort (container "a" uses hostPorts 1, 2)'],
])('ports of the host: %j', (hostPorts, text) => {
  expect(violations('baseline', Infinity, ports(...hostPorts))).toBe(text);
});

const seLinux = (...options: readonly JsonObject[]): JsonObject =>
  containers(...options.map((seLinuxOptions) => ({ seLinuxOptions })));
const forbidden = (who: string, what: string): string =>
  `seLinuxOptions (${who} set forbidden securityContext.seLinuxOptions: ${what})`;

// Source: check_seLinuxOptions_test.go; container_engine_t came with 1.31.
test.each<[minor: number, spec: JsonObject, text: string]>([
  [30, seLinux({ type: 'container_t' }, { type: '' }), ''],
  [30, seLinux({ type: 'container_engine_t' }), forbidden('container "a"', 'type "container_engine_t"')],
  [31, seLinux({ type: 'container_engine_t' }), ''],
  [32, seLinux({ type: 'container_engine_t' }, { type: 'x' }), forbidden('container "b"', 'type "x"')],
  [31, seLinux({ user: 'u' }), forbidden('container "a"', 'user may not be set')],
  [31, seLinux({ role: 'r' }), forbidden('container "a"', 'role may not be set')],
  [
    31,
    seLinux({ role: 'r' }, { user: 'u', type: 'y' }, { type: 'x' }),
    forbidden('containers "a", "b", "c"', 'types "x", "y"; user may not be set; role may not be set'),
  ],
  [31, { securityContext: { seLinuxOptions: { user: 'u' } }, ...seLinux({}) }, forbidden('pod', 'user may not be set')],
])('at 1.%i: SELinux of %j', (minor, spec, text) => {
  expect(violations('baseline', minor, spec)).toBe(text);
});

// Source: check_sysctls.go: what may be set, and since when.
test.each<[name: string, since: number]>([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
  ['net.ipv4.tcp_slow_start_after_idle', 37],
  ['net.ipv4.tcp_notsent_lowat', 37],
])('%s may be set since 1.%i', (name, since) => {
  const spec = { securityContext: { sysctls: [{ name }] }, containers: [] };
  expect(violations('baseline', since, spec)).toBe('');
  expect(violations('baseline', since - 1, spec)).toBe(since === 0 ? '' : `forbidden sysctls (${name})`);
});

// Source: pod-security-admission policy/registry.go: a version after the newest one is that one.
test.each([
  ['latest', 37, ''],
  ['latest', 36, 'forbidden sysctls (net.ipv4.tcp_notsent_lowat)'],
  ['v1.37', 36, 'forbidden sysctls (net.ipv4.tcp_notsent_lowat)'],
  ['v1.36', 37, 'forbidden sysctls (net.ipv4.tcp_notsent_lowat)'],
])('%s on a server of 1.%i', (version, newest, text) => {
  const labels = {
    'pod-security.kubernetes.io/enforce': 'baseline',
    'pod-security.kubernetes.io/enforce-version': version,
  };
  const { enforce } = policyToEvaluate(labels, undefined, newest);
  const spec = { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_notsent_lowat' }] }, containers: [] };
  expect(aggregateViolations(evaluatePod({ annotations: {}, spec }, enforce))).toBe(text);
});

test('sysctls are printed in their order', () => {
  const spec = { securityContext: { sysctls: ['b', 'net.ipv4.tcp_rmem', 'a'].map((name) => ({ name })) } };
  expect(violations('baseline', Infinity, spec)).toBe('forbidden sysctls (b, a)');
});

const privilegeEscalation =
  'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)';
const probe = { containers: [{ name: 'a', startupProbe: { tcpSocket: { host: 'h' } } }] };

// Source: the versions of policy/check_*.go: what a rule forbids from then on.
test.each<[level: Level, since: number, spec: JsonObject, text: string]>([
  ['baseline', 34, probe, 'probe or lifecycle host (container "a" uses probe or lifecycle host "h")'],
  ['restricted', 8, containers(strict({ allowPrivilegeEscalation: true })), privilegeEscalation],
  [
    'restricted',
    22,
    containers(strict({ capabilities: {} })),
    'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"])',
  ],
  ['restricted', 23, containers(strict({ runAsUser: 0 })), 'runAsUser=0 (container "a" must not set runAsUser=0)'],
  [
    'restricted',
    19,
    containers(strict({ seccompProfile: undefined })),
    'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
])('level %s asks since 1.%i for more', (level, since, spec, text) => {
  expect([violations(level, since - 1, spec), violations(level, since, spec)]).toEqual(['', text]);
});

test('what every version forbids, the first does', () => {
  const secured = (securityContext: JsonObject): JsonObject => containers(securityContext);
  const all: readonly [JsonObject, string][] = [
    [secured({ appArmorProfile: { type: 'Unconfined' } }), 'forbidden AppArmor profile'],
    [secured({ capabilities: { add: ['NET_ADMIN'] } }), 'non-default capabilities'],
    [{ hostIPC: true }, 'host namespaces'],
    [{ volumes: [{ name: 'v', hostPath: {} }] }, 'hostPath volumes'],
    [ports(80), 'hostPort'],
    [secured({ privileged: true }), 'privileged'],
    [secured({ procMount: 'Unmasked' }), 'procMount'],
    [seLinux({ type: 'x' }), 'seLinuxOptions'],
    [{ securityContext: { sysctls: [{ name: 'x' }] } }, 'forbidden sysctls'],
    [secured({ windowsOptions: { hostProcess: true } }), 'hostProcess'],
  ];
  for (const [spec, reason] of all) {
    const [only, ...others] = evaluatePod(
      { annotations: {}, spec },
      { level: 'baseline', minor: 0, newest: Infinity, text: '' },
    );
    expect([only?.reason, others]).toEqual([reason, []]);
  }
  const restricted = (spec: JsonObject): string => violations('restricted', 0, spec).replace(/ \(.*/, '');
  expect(restricted({ volumes: [{ name: 'v', nfs: {} }] })).toBe('restricted volume types');
  expect(restricted({ volumes: [{ name: 'v', image: {} }] })).toBe('');
  expect(restricted(secured({}))).toBe('runAsNonRoot != true');
});

// Source: check_restrictedVolumes_test.go
test.each<[volumes: readonly JsonObject[], text: string]>([
  [
    ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'persistentVolumeClaim', 'projected', 'secret'].map(
      (source) => ({ name: source, [source]: {} }),
    ),
    '',
  ],
  [[{ nfs: {}, name: 'v' }], 'restricted volume types (volume "v" uses restricted volume type "nfs")'],
  [
    [
      { name: 'v', nfs: {} },
      { name: 'w', iscsi: {} },
      { name: 'x', secret: {} },
    ],
    'restricted volume types (volumes "v", "w" use restricted volume types "iscsi", "nfs")',
  ],
  [[{ name: 'v' }], 'restricted volume types (volume "v" uses restricted volume type "unknown")'],
])('volumes %j', (volumes, text) => {
  expect(violations('restricted', Infinity, { volumes })).toBe(text);
});

// Source: check_runAsNonRoot_test.go, check_runAsUser_test.go
test.each<[fact: string, spec: JsonObject, text: string]>([
  [
    'the pod says so',
    { securityContext: { runAsNonRoot: true }, ...containers(strict({ runAsNonRoot: undefined })) },
    '',
  ],
  ['each container says so', containers(strict({}), strict({})), ''],
  [
    'one does not',
    containers(strict({}), strict({ runAsNonRoot: undefined })),
    'runAsNonRoot != true (pod or container "b" must set securityContext.runAsNonRoot=true)',
  ],
  [
    'one says no, whatever the pod says',
    { securityContext: { runAsNonRoot: true }, ...containers(strict({ runAsNonRoot: false }), strict({})) },
    'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)',
  ],
  [
    'pod and container say no',
    { securityContext: { runAsNonRoot: false }, ...containers(strict({ runAsNonRoot: false })) },
    'runAsNonRoot != true (pod and container "a" must not set securityContext.runAsNonRoot=false)',
  ],
  ['another number than that of root', containers(strict({ runAsUser: 1 })), ''],
  [
    'the number of root, twice',
    { securityContext: { runAsUser: 0 }, ...containers(strict({ runAsUser: 0 }), strict({})) },
    'runAsUser=0 (pod and container "a" must not set runAsUser=0)',
  ],
])('no root: %s', (_fact, spec, text) => {
  expect(violations('restricted', 34, spec)).toBe(text);
});

// Source: policy/helpers.go, check_runAsNonRoot.go: Windows counts since 1.25, users of its own since 1.35.
test('what means nothing to a pod is not asked of it, at versions that know so', () => {
  const pod = (spec: JsonObject) => ({ annotations: {}, spec });
  const windows = pod({ os: { name: 'windows' } });
  expect([24, 25, 26].map((minor) => isWindows(windows, minor))).toEqual([false, true, true]);
  expect(isWindows(pod({ os: { name: 'linux' } }), 36)).toBe(false);
  expect([34, 35, 36].map((minor) => hasOwnUsers(pod({ hostUsers: false }), minor))).toEqual([false, true, true]);
  expect([{}, { hostUsers: true }].map((spec) => hasOwnUsers(pod(spec), 36))).toEqual([false, false]);
  const root = { hostUsers: false, ...containers(strict({ runAsUser: 0, runAsNonRoot: false })) };
  expect(violations('restricted', 35, root)).toBe('');
  expect(violations('restricted', 34, root)).not.toBe('');
});

const pods = {
  operation: 'CREATE',
  resource: { group: '', version: 'v1', resource: 'pods' },
  subresource: '',
} as const;

// Source: pod-security-admission metrics/metrics.go
test.each<[minor: number, version: string]>([
  [0, 'v1.0'],
  [35, 'v1.35'],
  [36, 'v1.36'],
  [37, 'future'],
  [Infinity, 'latest'],
])('an evaluation at 1.%i is counted as of %s', (minor, version) => {
  const { labels } = countEvaluation('deny', { level: 'baseline', minor, newest: 36, text: '' }, 'warn', pods);
  expect(labels).toEqual(['deny', 'baseline', version, 'warn', 'create', 'pod', '']);
});

test.each([
  ['', 'pods', 'pod'],
  ['apps', 'pods', 'controller'],
  ['', 'replicationcontrollers', 'controller'],
])('of %s/%s it is that of a %s', (group, resource, what) => {
  const asked = { ...pods, resource: { group, version: 'v1', resource } };
  expect(
    countEvaluation('allow', { level: 'privileged', minor: 3, newest: 36, text: '' }, 'audit', asked).labels,
  ).toEqual(['allow', 'privileged', 'latest', 'audit', 'create', what, '']);
});

const labels = (said: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(said).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));

// Source: pod-security-admission api/helpers.go PolicyToEvaluate and its test
test.each<[said: Readonly<Record<string, string>>, enforce: string, warn: string, errors: number]>([
  [{}, 'privileged:latest', 'privileged:latest', 0],
  [{ enforce: 'baseline' }, 'baseline:latest', 'baseline:latest', 0],
  [{ enforce: 'restricted', 'enforce-version': 'v1.20' }, 'restricted:v1.20', 'restricted:v1.20', 0],
  [{ enforce: 'privileged', 'warn-version': 'v1.20' }, 'privileged:latest', 'privileged:v1.20', 0],
  [{ enforce: 'baseline', 'warn-version': 'v1.20' }, 'baseline:latest', 'baseline:v1.20', 0],
  [{ enforce: 'baseline', warn: 'restricted' }, 'baseline:latest', 'restricted:latest', 0],
  [{ enforce: 'baseline', warn: 'privileged' }, 'baseline:latest', 'privileged:latest', 0],
  [{ enforce: 'x' }, 'restricted:latest', 'privileged:latest', 1],
  [{ enforce: 'x', warn: 'y' }, 'restricted:latest', 'privileged:latest', 2],
  [{ enforce: 'baseline', 'enforce-version': 'v1.01' }, 'baseline:latest', 'baseline:latest', 1],
  [{ 'enforce-version': 'v1.0' }, 'privileged:v1.0', 'privileged:latest', 0],
])('a namespace that says %j enforces %s and warns of %s', (said, enforce, warn, errors) => {
  const policy = policyToEvaluate(labels(said));
  expect([policy.enforce.text, policy.warn.text, policy.errors.length]).toEqual([enforce, warn, errors]);
});

const level = { level: 'baseline', minor: Infinity, text: 'baseline:latest', newest: Infinity } as const;
const named = (name: string, spec: JsonObject) => ({ name, pod: { annotations: {}, spec } });
const head = 'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"';

// Source: pod-security-admission admission/admission.go EvaluatePodsInNamespace and its test
test.each<[fact: string, pods: readonly ReturnType<typeof named>[], warnings: readonly string[]]>([
  ['none', [], []],
  ['a good one', [named('a', {})], []],
  ['one', [named('a', { hostPID: true }), named('b', {})], [head, 'a: host namespaces']],
  [
    'three that do the same, and one that does more',
    [...['c', 'b', 'd'].map((name) => named(name, { hostPID: true })), named('a', { hostPID: true, ...ports(1) })],
    [head, 'a: host namespaces, hostPort', 'b (and 2 other pods): host namespaces'],
  ],
  [
    'two ways, by their lines',
    [named('z', ports(1)), named('y', { hostPID: true }), named('x', { hostPID: true })],
    [head, 'x (and 1 other pod): host namespaces', 'z: hostPort'],
  ],
])('the pods of a namespace: %s', (_fact, existing, warnings) => {
  expect(existingPodWarnings('ns', level, existing)).toEqual(warnings);
});

test('3,000 pods are looked at, and not one more', () => {
  const many = (count: number) => Array.from({ length: count }, (_none, at) => named(`p${at}`, {}));
  const bad = named('bad', { hostPID: true });
  expect(existingPodWarnings('ns', level, [...many(2999), bad])).toEqual([head, 'bad: host namespaces']);
  expect(existingPodWarnings('ns', level, [...many(3000), bad])).toEqual([
    'new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods',
  ]);
});
