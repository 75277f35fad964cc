import { expect, test } from 'vitest';
import { asString, type JsonObject } from '../../../src/machinery/json/json.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import { register } from '../../harness/configurations.ts';
import { at } from '../../harness/world-answer.ts';
import { adminUser, createTestWorld, type SendOptions, type TestWorld } from '../../harness/world.ts';

type Sent = readonly [method: string, path: string, body?: unknown, more?: SendOptions];

/** What a webhook sends while it is called for the request of a client, one entry for each review, and what it answers. */
interface Race {
  readonly before?: readonly Sent[];
  readonly request: Sent;
  readonly during: readonly (readonly Sent[])[];
  readonly denies?: boolean;
}

const merge: SendOptions = { contentType: 'application/merge-patch+json' };
const jsonPatch: SendOptions = { contentType: 'application/json-patch+json' };
const strategic: SendOptions = { contentType: 'application/strategic-merge-patch+json' };
const apply: SendOptions = { contentType: 'application/apply-patch+yaml' };
const racer = { ...adminUser, username: 'racer' };

/** Plays a race: the answer, the operations that the webhook reviewed for the client, and the world afterwards. */
async function play({ before = [], request, during, denies = false }: Race) {
  const reviews: string[] = [];
  const world: TestWorld = await createTestWorld({
    responses: {
      'v.example.com': async ({ operation, userInfo }) => {
        if (at({ userInfo }, 'userInfo', 'username') === racer.username) return {};
        reviews.push(asString(operation));
        for (const [method, path, body, more] of during[reviews.length - 1] ?? []) {
          const raced = await world.send(method, path, body, { ...more, as: racer });
          if (raced.code >= 400) throw new Error(raced.message);
        }
        return { allowed: !denies };
      },
    },
  });
  for (const [method, path, body, more] of before) await world.send(method, path, body, more);
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  await register(world, 'validating', { name: 'v.example.com', rules });
  const answer = await world.send(...(await atStoredVersion(world, request)));
  return { answer, reviews: reviews.join(' '), world };
}

/** The request with the resourceVersion of what is stored for the word VERSION. */
async function atStoredVersion(world: TestWorld, [method, path, body, ...more]: Sent): Promise<Sent> {
  const text = JSON.stringify(body ?? null);
  if (!text.includes('VERSION')) return [method, path, body, ...more];
  const stored = await world.send('GET', path);
  return [
    method,
    path,
    JSON.parse(text.replace('VERSION', String(at(stored.body, 'metadata', 'resourceVersion')))),
    ...more,
  ];
}

const namespaced = '/api/v1/namespaces/default';
const maps = `${namespaced}/configmaps`;
const map = `${maps}/d`;
const configMap = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'd', ...metadata },
  data,
});
const made: Sent = ['POST', maps, configMap({ a: '1' })];
const theirs: Sent = ['PATCH', map, { data: { a: 'theirs', b: 'x' } }, merge];
const onlyB: Sent = ['PATCH', map, { data: { b: 'x' } }, merge];

type Unchanged = readonly [
  write: string,
  request: Sent,
  during: readonly (readonly Sent[])[],
  outcome: string,
  data: JsonObject,
];

// Source: apiserver pkg/storage/etcd3/store.go GuaranteedUpdate: an object from the watch cache is read again.
test.each<Unchanged>([
  ['a PUT', ['PUT', map, configMap({ a: '1' })], [[theirs]], '200 UPDATE UPDATE', { a: '1' }],
  ['a merge patch', ['PATCH', map, { data: { a: '1' } }, merge], [[theirs]], '200 UPDATE UPDATE', { a: '1', b: 'x' }],
  [
    'a strategic patch',
    ['PATCH', map, { data: { a: '1' } }, strategic],
    [[theirs]],
    '200 UPDATE UPDATE',
    { a: '1', b: 'x' },
  ],
  [
    'a JSON patch',
    ['PATCH', map, [{ op: 'replace', path: '/data/a', value: '1' }], jsonPatch],
    [[theirs]],
    '200 UPDATE UPDATE',
    { a: '1', b: 'x' },
  ],
  [
    'a JSON patch that tests',
    ['PATCH', map, [{ op: 'test', path: '/data/a', value: '1' }], jsonPatch],
    [[theirs]],
    '422 UPDATE',
    { a: 'theirs', b: 'x' },
  ],
  [
    'an apply with force',
    ['PATCH', `${map}?fieldManager=test&force=true`, configMap({ a: '1' }), apply],
    [[theirs]],
    '200 UPDATE UPDATE',
    { a: '1', b: 'x' },
  ],
  [
    'a patch that names a version',
    ['PATCH', map, { metadata: { resourceVersion: 'VERSION' } }, merge],
    [[theirs]],
    '409 UPDATE',
    { a: 'theirs', b: 'x' },
  ],
  [
    'a PUT that names a version',
    ['PUT', map, configMap({ a: '1' }, { resourceVersion: 'VERSION' })],
    [[theirs]],
    '409 UPDATE',
    { a: 'theirs', b: 'x' },
  ],
  [
    // From the second round on the object is known to be the latest, as upstream.
    'a patch whose webhook writes each time',
    ['PATCH', map, { data: { a: '1' } }, merge],
    [[onlyB], [['PATCH', map, { data: { b: 'y' } }, merge]]],
    '200 UPDATE UPDATE',
    { a: '1', b: 'y' },
  ],
  [
    'a dry run',
    ['PATCH', `${map}?dryRun=All`, { data: { a: '1' } }, merge],
    [[theirs]],
    '200 UPDATE',
    { a: 'theirs', b: 'x' },
  ],
])(
  '%s that changes nothing is made again from what the webhook wrote',
  async (...[, request, during, outcome, data]) => {
    const { answer, reviews, world } = await play({ before: [made], request, during });
    expect(`${answer.code} ${reviews}`).toBe(outcome);
    expect(at((await world.send('GET', map)).body, 'data')).toEqual(data);
  },
);

const gone: Sent = ['DELETE', map];

test.each<readonly [write: string, request: Sent, outcome: string]>([
  ['a PUT', ['PUT', map, configMap({ a: '1' })], '404 UPDATE'],
  ['a PUT that changes something', ['PUT', map, configMap({ a: '2' })], '404 UPDATE'],
  ['a patch', ['PATCH', map, { data: { a: '1' } }, merge], '404 UPDATE'],
  ['an apply', ['PATCH', `${map}?fieldManager=m&force=true`, configMap({ a: '1' }), apply], '201 UPDATE CREATE'],
])('%s of what the webhook deletes is answered for what is left', async (_write, request, outcome) => {
  const { answer, reviews, world } = await play({ before: [made], request, during: [[gone]] });
  expect(`${answer.code} ${reviews}`).toBe(outcome);
  expect((await world.send('GET', map)).code).toBe(answer.code === 404 ? 404 : 200);
});

// Source: GuaranteedUpdate: the error of an attempt that began from the watch cache is the answer only if the object is the same.
test('a denial is asked for again when the webhook itself changed the object', async () => {
  const request: Sent = ['PATCH', map, { data: { a: '2' } }, merge];
  const raced = await play({ before: [made], request, during: [[theirs]], denies: true });
  expect(`${raced.answer.code} ${raced.reviews}`).toBe('400 UPDATE UPDATE');
  const calm = await play({ before: [made], request, during: [], denies: true });
  expect(`${calm.answer.code} ${calm.reviews}`).toBe('400 UPDATE');
});

// Source: kubernetes pkg/kubeapiserver/default_storage_factory_builder.go: events are in no watch cache.
test('an event is not read again: nothing is cached', async () => {
  const path = `${namespaced}/events/e`;
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject, message: 'one' };
  const { answer, reviews, world } = await play({
    before: [['POST', `${namespaced}/events`, event]],
    request: ['PATCH', path, { message: 'one' }, merge],
    during: [[['PATCH', path, { message: 'two' }, merge]]],
  });
  expect([answer.code, reviews, answer.body['message']]).toEqual([200, 'UPDATE', 'one']);
  expect((await world.send('GET', path)).body['message']).toBe('two');
});

interface Kind {
  readonly collection: string;
  readonly object: (metadata: JsonObject) => JsonObject;
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const kinds: Readonly<Record<string, Kind>> = {
  limitranges: {
    collection: `${namespaced}/limitranges`,
    object: (metadata) => ({ metadata, spec: { limits: [{ type: 'Pod', max: { cpu: '1' } }] } }),
  },
  endpoints: { collection: `${namespaced}/endpoints`, object: (metadata) => ({ metadata }) },
  events: {
    collection: `${namespaced}/events`,
    object: (metadata) => ({ metadata, involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' } }),
  },
  roles: { collection: `${rbac}/namespaces/default/roles`, object: (metadata) => ({ metadata, rules: [] }) },
  clusterroles: { collection: `${rbac}/clusterroles`, object: (metadata) => ({ metadata, rules: [] }) },
};

const labelled = (mine: string): JsonObject => ({ name: 'l', labels: { mine } });

// Source: apiserver pkg/registry/generic/registry/store.go Update: creating is one try of an update.
test.each(Object.entries(kinds))(
  'a PUT of %s that is overtaken by a create is an update',
  async (_kind, { collection, object }) => {
    const { answer, reviews, world } = await play({
      request: ['PUT', `${collection}/l`, object(labelled('yes'))],
      during: [[['POST', collection, object(labelled('no'))]]],
    });
    expect([answer.code, answer.message, reviews]).toEqual([200, '', 'CREATE UPDATE']);
    expect(at((await world.send('GET', `${collection}/l`)).body, 'metadata', 'labels')).toEqual({ mine: 'yes' });
  },
);

test.each<readonly [write: string, request: Sent, outcome: string]>([
  [
    'an apply of other fields',
    ['PATCH', `${map}?fieldManager=m`, configMap({ mine: '1' }), apply],
    '200 CREATE UPDATE',
  ],
  [
    'an apply of the same field',
    ['PATCH', `${map}?fieldManager=m`, configMap({ a: '2' }), apply],
    '409 Conflict CREATE',
  ],
  [
    'an apply with force',
    ['PATCH', `${map}?fieldManager=m&force=true`, configMap({ a: '2' }), apply],
    '200 CREATE UPDATE',
  ],
  ['a POST', ['POST', maps, configMap({ a: '2' })], '409 AlreadyExists CREATE'],
  ['a dry run of an apply', ['PATCH', `${map}?fieldManager=m&dryRun=All`, configMap({ a: '2' }), apply], '201 CREATE'],
  ['a dry run of a POST', ['POST', `${maps}?dryRun=All`, configMap({ a: '2' })], '409 AlreadyExists CREATE'],
])('%s that is overtaken by a create follows the rules of its verb', async (_write, request, outcome) => {
  const { answer, reviews } = await play({ request, during: [[made]] });
  const reason = asString(answer.body['reason']);
  expect([String(answer.code), reason, reviews].filter(Boolean).join(' ')).toBe(outcome);
});

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';

// Source: kubernetes pkg/registry/coordination/lease/strategy.go: created by PUT, but not updated without a version.
test.each<readonly [metadata: JsonObject, answer: string]>([
  [
    { name: 'w' },
    '422 leases.coordination.k8s.io "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ],
  [
    { name: 'w', resourceVersion: '5' },
    '409 Operation cannot be fulfilled on leases.coordination.k8s.io "w": the object has been modified; please apply your changes to the latest version and try again',
  ],
])('a PUT of a lease %j that is overtaken by a create follows the rules of an update', async (metadata, expected) => {
  const created: Sent = ['POST', leases, { metadata: { name: 'w' }, spec: {} }];
  const { answer, reviews } = await play({
    request: ['PUT', `${leases}/w`, { metadata, spec: {} }],
    during: [[created]],
  });
  expect([`${answer.code} ${answer.message}`, reviews]).toEqual([expected, 'CREATE']);
});

const held = { metadata: { name: 'd', finalizers: ['example.com/hold'] } };
const release: Sent = ['PATCH', map, { metadata: { finalizers: null } }, merge];
const hold: Sent = ['PATCH', map, { metadata: { finalizers: ['example.com/hold'] } }, merge];

type Deletion = readonly [
  story: string,
  before: object,
  during: readonly (readonly Sent[])[],
  query: string,
  outcome: string,
];

// Source: apiserver pkg/registry/generic/registry/store.go Delete: pendingFinalizers is of the object that was read first.
test.each<Deletion>([
  ['no other write interferes', held, [], '', '200 DELETE 200'],
  ['the webhook takes the finalizer away', held, [[release]], '', '200 DELETE DELETE DELETE 404'],
  ['the webhook takes it away and deletes', held, [[release, gone]], '', '404 DELETE 404'],
  ['a finalizer appears', configMap({}), [[hold]], '', '200 DELETE DELETE 404'],
  ['the webhook changes something else', configMap({}), [[onlyB]], '', '200 DELETE DELETE 404'],
  ['the webhook deletes it', configMap({}), [[gone]], '', '404 DELETE 404'],
  [
    'the orphan finalizer is taken off at once',
    { metadata: { name: 'd', finalizers: ['orphan'] } },
    [],
    'propagationPolicy=Background',
    '200 DELETE DELETE 404',
  ],
  ['a dry run', held, [[release]], 'dryRun=All', '200 DELETE 200'],
])('a DELETE during which %s', async (...[, before, during, query, outcome]) => {
  const { answer, reviews, world } = await play({
    before: [['POST', maps, before]],
    request: ['DELETE', `${map}?${query}`],
    during,
  });
  expect(`${answer.code} ${reviews} ${(await world.send('GET', map)).code}`).toBe(outcome);
});

test('a DELETE that names a version conflicts in the words of the storage when its webhook writes', async () => {
  const options = { preconditions: { resourceVersion: 'VERSION' } };
  const { answer, reviews } = await play({ before: [made], request: ['DELETE', map, options], during: [[onlyB]] });
  expect([answer.code, reviews]).toEqual([409, 'DELETE']);
  expect(answer.message).toMatch(
    /^Operation cannot be fulfilled on configmaps "d": StorageError: invalid object, Code: 4, Key: \/registry\/configmaps\/default\/d, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: \d+, ResourceVersion in object meta: \d+$/,
  );
});

// Source: apiserver pkg/registry/rest/create.go CheckGeneratedNameError.
test.each<readonly [what: string, collection: string, query: string]>([
  ['a ConfigMap', maps, ''],
  ['a dry run', maps, '?dryRun=All'],
  ['a namespace', '/api/v1/namespaces', ''],
])('%s with a name and a generateName that is there says so', async (_what, collection, query) => {
  const object = { metadata: { name: 'x', generateName: 'x-' } };
  const { answer } = await play({
    before: [['POST', collection, object]],
    request: ['POST', `${collection}${query}`, object],
    during: [],
  });
  const kind = collection.split('/').at(-1) ?? '';
  expect(answer).toMatchObject({
    code: 409,
    message: `${kind} "x" already exists, the server was not able to generate a unique name for the object`,
    body: { reason: 'AlreadyExists', details: { name: 'x', kind, retryAfterSeconds: 1 } },
  });
});

test.each<
  readonly [
    write: string,
    before: readonly Sent[],
    request: Sent,
    during: readonly Sent[],
    overtaken: string | undefined,
  ]
>([
  ['a POST whose name is taken meanwhile', [], made, [made], 'created'],
  ['a POST whose name was taken', [made], made, [], undefined],
  ['a PUT that is deleted meanwhile', [made], ['PUT', map, configMap({ a: '2' })], [gone], 'deleted'],
  ['a DELETE of what is deleted meanwhile', [made], gone, [gone], 'deleted'],
  ['a PUT that is changed meanwhile', [made], ['PUT', map, configMap({ a: '2' })], [onlyB], 'updated'],
  [
    'an apply that is created meanwhile',
    [],
    ['PATCH', `${map}?fieldManager=m`, configMap({ c: '1' }), apply],
    [made],
    'created',
  ],
  ['a PUT', [made], ['PUT', map, configMap({ a: '2' })], [], undefined],
])('the trace of %s says what another write did', async (...[, before, request, during, overtaken]) => {
  const { world } = await play({ before, request, during: [during] });
  const finished = world.finished.findLast(({ access }) => access.user?.username !== racer.username);
  if (!finished) throw new Error('no request');
  expect(createTrace(finished, 'id', 0).concurrentWrite).toBe(overtaken);
});

type Explained = readonly [write: string, request: Sent, during: Sent, says: RegExp];

test.each<Explained>([
  [
    'a POST',
    made,
    made,
    /after admission: .*already exists[^]*hint: configmaps d did not exist when the webhooks were called/,
  ],
  [
    'a PUT that is deleted meanwhile',
    ['PUT', map, configMap({ a: '2' })],
    gone,
    /after admission: configmaps "d" not found[^]*hint: configmaps d existed when the webhooks were called and was deleted/,
  ],
  [
    'a PUT at a version that is changed meanwhile',
    ['PUT', map, configMap({ a: '2' }, { resourceVersion: 'VERSION' })],
    onlyB,
    /after admission: .*has been modified[^]*hint: configmaps d was changed while the webhooks were called/,
  ],
])('explain says of %s what happened while the webhooks were called', async (_write, request, during, says) => {
  const { world } = await play({ before: request === made ? [] : [made], request, during: [[during]] });
  const finished = world.finished.findLast(({ access }) => access.user?.username !== racer.username);
  if (!finished) throw new Error('no request');
  expect(renderExplanation(createTrace(finished, 'id', 0))).toMatch(says);
});
