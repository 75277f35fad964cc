import { expect, test } from 'vitest';
import { asList, asObject, type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import { register, ruleFor } from '../../harness/configurations.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

// What changes objects without storing what it is sent: eviction, binding, deletion.
const pods = '/api/v1/namespaces/default/pods';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

async function worldWithPod(status: object = { phase: 'Running' }): Promise<TestWorld> {
  const world = await createTestWorld();
  await world.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const made = await world.send('POST', pods, { metadata: { name: 'p', labels: { app: 'web' } }, spec });
  if (made.code !== 201) throw new Error(made.message);
  await world.send('PATCH', `${pods}/p/status`, { status });
  return world;
}

async function addBudget(world: TestWorld, name: string, status: object, spec: object = {}): Promise<void> {
  const selector = { matchLabels: { app: 'web' } };
  await world.send('POST', budgets, { metadata: { name }, spec: { minAvailable: 1, selector, ...spec } });
  await world.send('PATCH', `${budgets}/${name}/status`, { status: { observedGeneration: 1, ...status } });
}

const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const healthy = { currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 };
const evict = (world: TestWorld, more: object = {}, query = '') =>
  world.send('POST', `${pods}/p/eviction${query}`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: 'p' },
    ...more,
  });
const isThere = async (world: TestWorld): Promise<boolean> => (await world.send('GET', `${pods}/p`)).code === 200;

const held = "429 Cannot evict pod as it would violate the pod's disruption budget.";

// Source: kubernetes pkg/registry/core/pod/storage/eviction.go.
type Budgeted = readonly [string, pod: object, budget: object, spec: object, answer: string, goes: boolean];

test.each<Budgeted>([
  ['a budget with disruptions left', ready, { ...healthy, disruptionsAllowed: 1 }, {}, '201', true],
  ['a budget without', ready, { ...healthy, disruptionsAllowed: 0 }, {}, held, false],
  [
    'a budget not looked at since its change',
    ready,
    { ...healthy, disruptionsAllowed: 1, observedGeneration: 0 },
    {},
    held,
    false,
  ],
  ['a pod that has ended', { phase: 'Failed' }, { ...healthy, disruptionsAllowed: 0 }, {}, '201', true],
  ['a pod that has not begun', { phase: 'Pending' }, { ...healthy, disruptionsAllowed: 0 }, {}, '201', true],
  ['an unready pod of a healthy budget', { phase: 'Running' }, { ...healthy, disruptionsAllowed: 0 }, {}, '201', true],
  [
    'an unready pod of an unhealthy budget',
    { phase: 'Running' },
    { ...healthy, currentHealthy: 0, disruptionsAllowed: 0 },
    {},
    held,
    false,
  ],
  [
    'an unready pod of a budget that wants none healthy',
    { phase: 'Running' },
    { ...healthy, desiredHealthy: 0, disruptionsAllowed: 0 },
    {},
    held,
    false,
  ],
  [
    'an unready pod of a budget that has just enough',
    { phase: 'Running' },
    { ...healthy, currentHealthy: 1, disruptionsAllowed: 0 },
    {},
    '201',
    true,
  ],
  [
    'an unready pod that may always go',
    { phase: 'Running' },
    { ...healthy, currentHealthy: 0, disruptionsAllowed: 0 },
    { unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    '201',
    true,
  ],
  [
    'a selector of other pods',
    ready,
    { ...healthy, disruptionsAllowed: 0 },
    { selector: { matchLabels: { app: 'other' } } },
    '201',
    true,
  ],
  ['an empty selector', ready, { ...healthy, disruptionsAllowed: 0 }, { selector: {} }, '201', true],
])('evicting under %s', async (...row) => {
  const [, pod, budget, spec, answer, goes] = row;
  const world = await worldWithPod(pod);
  await addBudget(world, 'b', budget, spec);
  const { code, message } = await evict(world);
  expect(`${code} ${message}`.trim()).toBe(answer);
  expect(await isThere(world)).toBe(!goes);
});

// Source: kubernetes pkg/registry/core/pod/storage/eviction.go addConditionAndDeletePod.
test('an evicted Pod that stays for a while says why it goes', async () => {
  const world = await worldWithPod({ ...ready, conditions: [{ type: 'Ready', status: 'True' }] });
  await world.send('PATCH', `${pods}/p`, { metadata: { finalizers: ['example.com/hold'] } });
  await evict(world, {}, '?dryRun=All');
  const before = await world.send('GET', `${pods}/p`);
  expect(at(before.body, 'status', 'conditions')).toHaveLength(1);
  await evict(world);
  const { body } = await world.send('GET', `${pods}/p`);
  expect(at(body, 'status', 'conditions', 1)).toEqual({
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  });
});

test.each([
  ['that runs', ready],
  ['that has not begun', { phase: 'Pending' }],
])('an eviction of another Pod of that name, %s, is refused', async (_state, status) => {
  const world = await worldWithPod(status);
  const { code, message } = await evict(world, { deleteOptions: { preconditions: { uid: 'other' } } });
  expect(code).toBe(409);
  expect(message).toContain('on Pod "p": the UID in the precondition (other) does not match the UID in record (');
});

// Source: eviction.go resourceVersionIsUnset: a version that was asked for is kept, and there is no second check.
test.each([
  ['that runs', ready],
  ['that has not begun', { phase: 'Pending' }],
  ['that has ended', { phase: 'Failed' }],
])('an eviction of a Pod as it was, %s, is refused, and of the Pod as it is not', async (_state, status) => {
  const world = await worldWithPod(status);
  const { body } = await world.send('GET', `${pods}/p`);
  const resourceVersion = String(at(body, 'metadata', 'resourceVersion'));
  const older = String(Number(resourceVersion) - 1);
  const refused = await evict(world, { deleteOptions: { preconditions: { resourceVersion: older } } });
  expect(refused.code).toBe(409);
  expect(refused.message).toContain(older);
  expect(await isThere(world)).toBe(true);
  expect((await evict(world, { deleteOptions: { preconditions: { resourceVersion } } })).code).toBe(201);
  expect(await isThere(world)).toBe(false);
});

test('an eviction is paid for by its budget', async () => {
  const world = await worldWithPod(ready);
  await addBudget(world, 'b', { ...healthy, disruptionsAllowed: 1 });
  await evict(world);
  const { body } = await world.send('GET', `${budgets}/b`);
  expect(at(body, 'status')).toMatchObject({
    disruptionsAllowed: 0,
    disruptedPods: { p: '2026-01-01T00:00:00Z' },
    conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
  });
});

// Recorded beside kube-apiserver v1.36.2.
test('two budgets are too many', async () => {
  const world = await worldWithPod(ready);
  await addBudget(world, 'a', { ...healthy, disruptionsAllowed: 1 });
  await addBudget(world, 'b', { ...healthy, disruptionsAllowed: 1 });
  const { code, body } = await evict(world);
  expect(code).toBe(500);
  expect(body).toMatchObject({ kind: 'Status', status: 'Failure', code: 500 });
  expect(await isThere(world)).toBe(true);
});

// Source: eviction.go AcceptsGroupVersion; recorded beside kube-apiserver v1.36.2.
test.each([
  ['policy/v1beta1', 201],
  ['policy/v2', 400],
])('an Eviction of %s is answered with %i', async (apiVersion, code) => {
  expect((await evict(await worldWithPod(), { apiVersion })).code).toBe(code);
});

// Source: rule DRY-9.
test.each<readonly [string, body: object, query: string, answer: string, goes: boolean]>([
  ['of the query', {}, '?dryRun=All', '201', false],
  ['of the Eviction', { deleteOptions: { dryRun: ['All'] } }, '', '201', false],
  ['of both', { deleteOptions: { dryRun: ['All'] } }, '?dryRun=All', '201', false],
  [
    'that differ',
    { deleteOptions: { dryRun: ['x'] } },
    '?dryRun=All',
    '500 Non-matching dry-run options in request and content: [All] and [x]',
    false,
  ],
])('a dry run %s', async (...row) => {
  const [, body, query, answer, goes] = row;
  const world = await worldWithPod(ready);
  await addBudget(world, 'b', { ...healthy, disruptionsAllowed: 1 });
  const { code, message } = await evict(world, body, query);
  expect(`${code} ${message}`.trim()).toBe(answer);
  expect(await isThere(world)).toBe(!goes);
  expect(at((await world.send('GET', `${budgets}/b`)).body, 'status', 'disruptionsAllowed')).toBe(1);
});

const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n1' } };

// Source: kubernetes pkg/registry/core/pod/storage/storage.go BindingREST.
test.each<readonly [string, body: object, answer: string]>([
  ['a node', binding, '201'],
  ['another pod', { ...binding, metadata: { name: 'q' } }, '400 name in URL does not match name in Binding object'],
  ['no node', { ...binding, target: {} }, '500 target.name: Required value'],
  [
    'no node at all',
    { ...binding, target: { kind: 'Pod' } },
    '500 [target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
  ],
  [
    'an earlier pod of that name',
    { ...binding, metadata: { name: 'p', uid: 'x' } },
    '409 Operation cannot be fulfilled on pods "p": StorageError: invalid object, Code: 4, Key: /registry/pods/default/p, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: x, UID in object meta: UID',
  ],
])('binding a pod to %s', async (_what, body, answer) => {
  const world = await worldWithPod();
  const uid = String(at((await world.send('GET', `${pods}/p`)).body, 'metadata', 'uid'));
  const { code, message } = await world.send('POST', `${pods}/p/binding`, body);
  expect(`${code} ${message.replace(uid, 'UID')}`.trim()).toBe(answer);
});

// Source: apiserver pkg/registry/generic/registry/store.go NamespaceKeyFunc; compared with kube-apiserver v1.36.2.
test.each<readonly [name: string, metadata: object, answer: string]>([
  ['no name', {}, '400 Name parameter required.'],
  ['a name that is none', { name: 'a/b' }, `400 Name parameter invalid: "a/b": may not contain '/'`],
  ['the name of no pod', { name: 'q' }, '404 pods "q" not found'],
])('a binding that is posted to the collection with %s', async (_what, metadata, answer) => {
  const world = await worldWithPod();
  const { code, message } = await world.send('POST', '/api/v1/namespaces/default/bindings', { ...binding, metadata });
  expect(`${code} ${message}`).toBe(answer);
});

test('a pod is bound once, keeps its other conditions and takes over the annotations', async () => {
  const world = await worldWithPod(ready);
  const bind = () =>
    world.send('POST', '/api/v1/namespaces/default/bindings', {
      ...binding,
      metadata: { name: 'p', annotations: { from: 'binding' } },
    });
  expect(await bind()).toMatchObject({ code: 201 });
  expect((await world.send('GET', `${pods}/p`)).body).toMatchObject({
    metadata: { annotations: { from: 'binding' } },
    spec: { nodeName: 'n1' },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'PodScheduled', status: 'True' },
      ],
    },
  });
  expect(await bind()).toMatchObject({
    code: 409,
    message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n1"',
  });
});

const configMaps = '/api/v1/namespaces/default/configmaps';

// Source: apiserver pkg/endpoints/handlers/delete.go; rules PATH-40 to PATH-53.
test.each<readonly [string, target: string, body: unknown, answer: string]>([
  ['nothing more', 'a', undefined, '200'],
  ['options without a kind', 'a', { gracePeriodSeconds: 0 }, '200'],
  ['options of another group', 'a', { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' }, '200'],
  ['a finalizer, not orphaning', 'held', { orphanDependents: false }, '202'],
  ['a finalizer', 'held', {}, '200'],
  ['broken JSON', 'a', '{', "400 couldn't get version/kind; json parse error: unexpected end of JSON input"],
  [
    'a body that is no options',
    'a',
    { kind: 'Pod', apiVersion: 'v1' },
    '400 no kind "Pod" is registered for version "v1" in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:28"',
  ],
  [
    'a wrong type',
    'a',
    { gracePeriodSeconds: 'x' },
    '400 json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
  ],
  ['no such object', 'absent', undefined, '404 configmaps "absent" not found'],
])('a DELETE with %s', async (_what, name, body, answer) => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  await world.send('POST', configMaps, { metadata: { name: 'held', finalizers: ['example.com/f'] } });
  const { code, message } = await world.send('DELETE', `${configMaps}/${name}`, body);
  expect(`${code} ${message}`.replace(/ (?=$)/, '').trim()).toBe(answer);
});

test.each(['uid', 'resourceVersion'])('a DELETE whose %s is another object stays undone', async (field) => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  const answer = await world.send('DELETE', `${configMaps}/a`, { preconditions: { [field]: '77' } });
  expect(answer.code).toBe(409);
  expect(answer.message).toMatch(/^Operation cannot be fulfilled on ConfigMap "a": the \w+ in the precondition \(77\)/);
  expect((await world.send('GET', `${configMaps}/a`)).code).toBe(200);
});

test('deletecollection: what is selected goes, in order; a dry run leaves all; a refusal ends it', async () => {
  const deny = { allowed: false, status: { message: 'not b' } };
  const responses = {
    'v.example.com': ({ oldObject }: JsonObject) => (at(oldObject, 'metadata', 'name') === 'b' ? deny : {}),
  };
  const world = await createTestWorld({ responses });
  for (const name of ['c', 'a', 'b'])
    await world.send('POST', configMaps, { metadata: { name, labels: { app: 'x' } } });
  await world.send('POST', configMaps, { metadata: { name: 'other' } });
  const names = async () => at((await world.send('GET', configMaps)).body, 'items', 'length') ?? (await namesIn(world));

  await world.send('DELETE', `${configMaps}?labelSelector=app%3Dx&dryRun=All`);
  expect(await names()).toEqual(['a', 'b', 'c', 'other']);

  await register(world, 'validating', { name: 'v.example.com', ...ruleFor(['DELETE'], 'configmaps') });
  const refused = await world.send('DELETE', `${configMaps}?labelSelector=app%3Dx`);
  expect(refused.message).toBe('admission webhook "v.example.com" denied the request: not b');
  expect(await names()).toEqual(['b', 'c', 'other']);
  expect(
    world.calls.map(({ request }) => [request['name'] ?? '', at(request, 'oldObject', 'metadata', 'name')]),
  ).toEqual([
    ['', 'a'],
    ['', 'b'],
  ]);
});

async function namesIn(world: TestWorld): Promise<readonly unknown[]> {
  const { items } = (await world.send('GET', configMaps)).body;
  return Array.isArray(items) ? items.map((item) => at(item, 'metadata', 'name')) : [];
}

// Source: apiserver pkg/endpoints/handlers/create.go, which keeps managedFields of whatever is created.
test('webhooks see who manages a Binding', async () => {
  const world = await worldWithPod();
  await register(world, 'validating', { name: 'b.example.com', ...ruleFor(['CREATE'], 'pods/binding') });
  await world.send('POST', `${pods}/p/binding?fieldManager=scheduler`, binding);
  expect(at(world.calls.at(-1)?.request, 'object', 'metadata', 'managedFields')).toMatchObject([
    { manager: 'scheduler', operation: 'Update', apiVersion: 'v1', fieldsV1: { 'f:target': {} } },
  ]);
});

// Source: kubernetes pkg/api/v1/pod/util.go UpdatePodCondition: the time is that of the last change of the status.
test.each([
  ['was so already', 'True', '2020-01-01T00:00:00Z'],
  ['was not so', 'False', '2026-01-01T00:00:00Z'],
])('a binding says since when the pod is scheduled: it %s', async (_what, status, since) => {
  const condition = { type: 'PodScheduled', status, lastTransitionTime: '2020-01-01T00:00:00Z' };
  const world = await worldWithPod({ conditions: [{ type: 'Ready', status: 'False' }, condition] });
  await world.send('POST', `${pods}/p/binding`, binding);
  const { body } = await world.send('GET', `${pods}/p`);
  const conditions = asList(valueAt(asObject(body), 'status', 'conditions')).map(asObject);
  expect(conditions.map((one) => [one['type'], one['status'], one['lastTransitionTime']])).toEqual([
    ['Ready', 'False', null],
    ['PodScheduled', 'True', since],
  ]);
});

// Source: apimachinery pkg/apis/meta/v1/conversion.go Convert_Slice_string_To_Slice_int32.
test.each([
  ['80,', '"": invalid syntax'],
  ['a', '"a": invalid syntax'],
  ['0x50', '"0x50": invalid syntax'],
  ['-1', '"-1": invalid syntax'],
  ['80&ports=65536', '"65536": value out of range'],
])('a port to forward that is no port: ports=%s', async (ports, said) => {
  const world = await worldWithPod();
  const { code, message } = await world.send('POST', `${pods}/p/portforward?ports=${ports}`);
  expect(`${code} ${message}`).toBe(`400 cannot convert to []int32: strconv.ParseUint: parsing ${said}`);
});

test.each([
  ['', '400 pod p does not have a host assigned'],
  [',a', '400 cannot convert to []int32: strconv.ParseUint: parsing "a": invalid syntax'],
])('hundreds of ports, then "%s"', async (last, said) => {
  const world = await worldWithPod();
  const path = `${pods}/p/portforward?ports=${Array.from({ length: 300 }, (_none, at) => at).join(',')}${last}`;
  const { code, message } = await world.send('POST', path);
  expect(`${code} ${message}`).toBe(said);
});

// Source: kubernetes pkg/apis/core/v1 Pod*Options; apimachinery pkg/runtime/conversion.go, pkg/apis/meta/v1/conversion.go.
test.each<readonly [path: string, options: JsonObject]>([
  [
    'exec?command=ls&command=-l&container=c&stdout=true',
    { kind: 'PodExecOptions', command: ['ls', '-l'], container: 'c', stdout: true },
  ],
  [
    'exec?stdin=1&stdout=false&stderr=0&tty=&container=',
    { kind: 'PodExecOptions', stdin: true, tty: true, command: null },
  ],
  ['attach?stdin=true&command=ls', { kind: 'PodAttachOptions', stdin: true }],
  ['portforward?ports=80,90&ports=70', { kind: 'PodPortForwardOptions', ports: [80, 90, 70] }],
  ['exec?command=', { kind: 'PodExecOptions', command: [''] }],
  ['proxy/?a=b', { kind: 'PodProxyOptions', path: '/' }],
  ['proxy?a=b', { kind: 'PodProxyOptions' }],
  ['proxy/x/y?path=z', { kind: 'PodProxyOptions', path: '/x/y' }],
  ['proxy/x//y/?a=b', { kind: 'PodProxyOptions', path: '/x//y/' }],
  ['proxy//x?a=b', { kind: 'PodProxyOptions', path: '/x' }],
])('a webhook on CONNECT sees the options that were given, lists in their order: %s', async (path, options) => {
  const resources = ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy'];
  const world = await worldWithPod();
  await register(world, 'validating', { name: 'w.example.com', ...ruleFor(['CONNECT'], ...resources) });
  await world.send('POST', `${pods}/p/binding`, binding);
  await world.send('POST', `${pods}/p/${path}`);
  expect(world.calls.map(({ request: { object, dryRun } }) => [object, dryRun])).toEqual([
    [{ apiVersion: 'v1', ...options }, false],
  ]);
  const dry = await world.send('POST', `${pods}/p/${path}&dryRun=All`);
  expect(`${dry.code} ${dry.message}`).toBe('400 dryRun is not supported');
  expect(world.calls).toHaveLength(1);
});
