import { expect, test } from 'vitest';
import { createAuditLog } from '../../../src/adapters/audit/audit-log.ts';
import { loadRelease } from '../../../src/api/release/load-release.ts';
import type { Level, AuditPolicy } from '../../../src/adapters/audit/policy.ts';
import type { FinishedRequest } from '../../../src/apiserver/request/handle.ts';
import { mutatingConfiguration } from '../../harness/configurations.ts';
import { createVirtualClock } from '../../harness/virtual-clock.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

const patchKey = 'patch.webhook.admission.k8s.io/round_0_index_0';
const configMaps = '/api/v1/namespaces/default/configmaps';

function policyAt(level: Level, more: Partial<AuditPolicy> = {}): AuditPolicy {
  const empty = { users: [], userGroups: [], verbs: [], resources: [], namespaces: [], nonResourceURLs: [] };
  const rules = [{ ...empty, level, omitStages: [], omitManagedFields: undefined }];
  return { rules, omitStages: [], omitManagedFields: false, ...more };
}

/** The events of what a world has finished. */
function eventsOf(
  finished: readonly FinishedRequest[],
  policy: AuditPolicy,
  now = 5000,
): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  const log = createAuditLog(policy, {
    write: (line) => lines.push(line),
    now: () => now,
    isDeprecated: () => false,
  });
  for (const one of finished) log.finished(one);
  return lines.map((line) => JSON.parse(line));
}

const lastOf = (world: TestWorld, level: Level, more?: Partial<AuditPolicy>): Record<string, unknown> | undefined =>
  eventsOf(world.finished.slice(-1), policyAt(level, more))[0];

test('an event has kube-apiserver’s fields in their order', async () => {
  const world = await createTestWorld();
  const headers = { 'x-forwarded-for': '10.1.2.3, nonsense' };
  await world.send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'a' }, data: { k: '<&>' } }, { headers });
  const event = lastOf(world, 'RequestResponse');
  expect(Object.keys(event ?? {})).toEqual([
    'kind',
    'apiVersion',
    'level',
    'auditID',
    'stage',
    'requestURI',
    'verb',
    'user',
    'sourceIPs',
    'userAgent',
    'objectRef',
    'responseStatus',
    'requestObject',
    'responseObject',
    'requestReceivedTimestamp',
    'stageTimestamp',
    'annotations',
  ]);
  expect(event).toMatchObject({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    stage: 'ResponseComplete',
    requestURI: `${configMaps}?dryRun=All`,
    verb: 'create',
    user: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
    sourceIPs: ['10.1.2.3'],
    userAgent: 'test/1.0',
    objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
    responseStatus: { metadata: {}, code: 201 },
    stageTimestamp: '1970-01-01T00:00:05.000000Z',
    annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
  });
});

// Source: rule AUD-1; apiserver pkg/apis/audit/v1/types.go.
test.each<[Level, readonly string[]]>([
  ['Metadata', []],
  ['Request', ['requestObject']],
  ['RequestResponse', ['requestObject', 'responseObject']],
])('level %s shows the bodies %j', async (level, bodies) => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  const event = lastOf(world, level) ?? {};
  expect(['requestObject', 'responseObject'].filter((name) => name in event)).toEqual(bodies);
});

test('the request is shown as it was decoded, the response as it was stored', async () => {
  const world = await createTestWorld();
  const made = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'mine' } };
  await world.send('POST', configMaps, made);
  const event = lastOf(world, 'RequestResponse');
  expect(event).toMatchObject({
    objectRef: { uid: 'mine' },
    requestObject: { metadata: { uid: 'mine' } },
    responseObject: { metadata: { namespace: 'default', resourceVersion: expect.any(String) } },
  });
});

test('a patch is shown as it was sent', async () => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  await world.send('PATCH', `${configMaps}/a`, '{ "data": {"k": "v"} }');
  expect(lastOf(world, 'Request')).toMatchObject({ verb: 'patch', requestObject: { data: { k: 'v' } } });
});

// Compared with kube-apiserver v1.36.2.
test.each<readonly [string, object]>([
  [`${configMaps}/a`, { apiVersion: 'v1', kind: 'DeleteOptions' }],
  [`${configMaps}/a`, { apiVersion: 'meta.k8s.io/v1', kind: 'DeleteOptions' }],
  [`${configMaps}/a`, {}],
  [configMaps, { apiVersion: 'v1', kind: 'DeleteOptions' }],
])('the options of a deletion of %s sent as %j are shown in their internal version', async (path, type) => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  await world.send('DELETE', path, { ...type, dryRun: ['All'] });
  expect(lastOf(world, 'Request')?.['requestObject']).toEqual({
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/__internal',
    dryRun: ['All'],
  });
});

// Compared with kube-apiserver v1.36.2: of an apply to a Scale too, what was sent is shown, not what was decoded.
test('an apply to a scale is shown as it was sent', async () => {
  const world = await createTestWorld();
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { selector: { matchLabels: { a: 'b' } }, template };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await world.send('POST', deployments, { metadata: { name: 'd' }, spec });
  const sent = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 2 } };
  await world.send('PATCH', `${deployments}/d/scale?fieldManager=m&force=true`, sent, {
    contentType: 'application/apply-patch+yaml',
  });
  expect(lastOf(world, 'Request')?.['requestObject']).toEqual(sent);
});

// Source: the recorded conversations ssa-yaml-body and crud-patch-errors: no event at level RequestResponse.
test('a patch that is no JSON leaves no event, unless the level leaves bodies out', async () => {
  const world = await createTestWorld();
  const contentType = 'application/apply-patch+yaml';
  const applied = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  await world.send('PATCH', `${configMaps}/a?fieldManager=m`, applied, { contentType });
  expect(lastOf(world, 'Request')).toBeUndefined();
  expect(lastOf(world, 'Metadata')).toMatchObject({ verb: 'patch', responseStatus: { code: 201 } });
});

// Source: the recorded conversations ssa-yaml-body and crud-patch-errors of v1.37.2; apiserver
// pkg/endpoints/handlers/patch.go validateAndTranscodePatch.
test('since 1.37 an apply is shown as sorted JSON, and a patch that is no JSON without a body', async () => {
  const world = await createTestWorld({ release: await loadRelease('1.37') });
  const contentType = 'application/apply-patch+yaml';
  const applied = 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n';
  await world.send('PATCH', `${configMaps}/a?fieldManager=m`, applied, { contentType });
  const sent = lastOf(world, 'Request')?.['requestObject'];
  expect(JSON.stringify(sent)).toBe('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}');
  await world.send('PATCH', `${configMaps}/a`, '{bad', { contentType: 'application/merge-patch+json' });
  const event = lastOf(world, 'Request');
  expect(event).toMatchObject({ verb: 'patch', responseStatus: { code: 400 } });
  expect(event).not.toHaveProperty('requestObject');
});

// Source: a recorded conversation of applies to a custom resource; apiserver pkg/audit/context.go LogRequestPatch.
test.each(['application/apply-patch+yaml', 'application/merge-patch+json'])(
  'nor does an empty %s',
  async (contentType) => {
    const world = await createTestWorld();
    await world.send('POST', configMaps, { metadata: { name: 'a' } });
    await world.send('PATCH', `${configMaps}/a?fieldManager=m`, '', { contentType });
    expect(lastOf(world, 'Request')).toBeUndefined();
    expect(lastOf(world, 'Metadata')).toMatchObject({ verb: 'patch', responseStatus: { code: 400 } });
  },
);

test('managedFields are left out when the policy says so, in lists too', async () => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'a' }, data: { k: 'v' } });
  expect(JSON.stringify(lastOf(world, 'RequestResponse'))).toContain('managedFields');
  expect(JSON.stringify(lastOf(world, 'RequestResponse', { omitManagedFields: true }))).not.toContain('managedFields');
  await world.send('GET', configMaps);
  expect(JSON.stringify(lastOf(world, 'RequestResponse'))).toContain('managedFields');
  expect(JSON.stringify(lastOf(world, 'RequestResponse', { omitManagedFields: true }))).not.toContain('managedFields');
});

test('a refusal has its Status, and the authorizer’s reason', async () => {
  const world = await createTestWorld();
  const as = { username: 'eve', uid: '', groups: ['system:authenticated'], extra: {} };
  await world.send('GET', configMaps, undefined, { as });
  expect(lastOf(world, 'Metadata')).toMatchObject({
    user: { username: 'eve', groups: ['system:authenticated'] },
    responseStatus: { status: 'Failure', reason: 'Forbidden', code: 403 },
    annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': '' },
  });
});

test('an impersonating user is recorded with both identities', async () => {
  const world = await createTestWorld();
  await world.send('GET', configMaps, undefined, { headers: { 'impersonate-user': ['eve'] } });
  expect(lastOf(world, 'Metadata')).toMatchObject({
    user: { username: 'admin' },
    impersonatedUser: { username: 'eve', groups: ['system:authenticated'] },
    authenticationMetadata: { impersonationConstraint: 'impersonate:user-info' },
  });
});

// Source: rules MUT-30, MUT-31, AUD-2.
test.each<[Level, readonly string[]]>([
  ['Metadata', ['a.b.c/k', 'mutation.webhook.admission.k8s.io/round_0_index_0']],
  ['Request', ['a.b.c/k', 'mutation.webhook.admission.k8s.io/round_0_index_0', patchKey]],
])('level %s has the annotations %j of a webhook', async (level, keys) => {
  const answer = { patch: [{ op: 'add', path: '/data', value: { k: 'v' } }], auditAnnotations: { k: 'v' } };
  const world = await createTestWorld({ responses: { 'a.b.c': () => answer } });
  const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  await world.send('POST', configurations, mutatingConfiguration([{ name: 'a.b.c' }]));
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  const annotations = Object.keys(Object(lastOf(world, level)).annotations);
  expect(annotations.filter((key) => !key.startsWith('authorization'))).toEqual(keys);
});

// Source: rule AUD-5.
test('a slow request says where its time went', async () => {
  const world = await createTestWorld();
  await world.send('GET', configMaps);
  const [slow] = eventsOf(world.finished, policyAt('Metadata'), world.clock.now() + 1500);
  expect(slow).toMatchObject({ annotations: { 'apiserver.latency.k8s.io/total': '1.5s' } });
  const [quick] = eventsOf(world.finished, policyAt('Metadata'), world.clock.now() + 500);
  expect(Object.keys(Object(quick).annotations)).not.toContain('apiserver.latency.k8s.io/total');
});

test('a stage that is left out is not written', async () => {
  const world = await createTestWorld();
  await world.send('GET', configMaps);
  expect(lastOf(world, 'Metadata', { omitStages: ['ResponseComplete'] })).toBeUndefined();
});

test('a bug of ours is stage Panic', async () => {
  const world = await createTestWorld();
  await world.send('GET', configMaps);
  const [finished] = world.finished;
  if (!finished) throw new Error('nothing finished');
  const bug = { error: new Error('oops') };
  expect(eventsOf([{ ...finished, bug }], policyAt('Metadata'))).toMatchObject([
    { stage: 'Panic', responseStatus: { message: "APIServer panic'd: oops", reason: 'InternalError', code: 500 } },
  ]);
});

// Source: apiserver pkg/server/filters/timeout.go: the filter answers the client, the handler fills in the event.
test('an event of a request that its own timeout ends has what the handler says', async () => {
  const clock = createVirtualClock();
  const world = await createTestWorld({
    clock,
    responses: { 'm.example.com': async () => clock.advance(2000).then(() => ({})) },
  });
  await world.send(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
    mutatingConfiguration([{ name: 'm.example.com' }]),
  );
  const answer = await world.send('POST', `${configMaps}?timeout=1s`, { metadata: { name: 'a' } });
  expect([answer.code, answer.message]).toEqual([504, 'Timeout: request did not complete within the allotted timeout']);
  expect(lastOf(world, 'Metadata')?.['responseStatus']).toMatchObject({
    message: 'Timeout: request did not complete within requested timeout - context deadline exceeded',
    reason: 'Timeout',
    code: 504,
  });
});
