import { expect, test } from 'vitest';
import { decodePatch } from '../../../src/machinery/patch/json-patch-decode.ts';
import { applyJsonPatch } from '../../../src/machinery/patch/json-patch.ts';
import { asString, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';
import { replyTo } from '../../../src/testing/stubs/stub-reply.ts';
import { respondToReview } from '../../../src/testing/stubs/stub.ts';
import type { Behaviour } from '../../../src/testing/stubs/webhook-spec.ts';

const pod: JsonObject = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1' }], replicas: 3 },
};
const workload = (kind: string, spec: JsonObject): JsonObject => ({ kind, metadata: { name: 'web' }, spec });
const template = { template: { spec: { containers: [{ name: 'web' }] } } };

const reviewOf = (object: JsonObject | null, request: JsonObject = {}): JsonObject => ({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: { uid: 'u', operation: 'CREATE', object, ...request },
});

/** The answer with its patch as lines `op path value`. */
async function answer(does: readonly Behaviour[], object: JsonObject | null = pod): Promise<JsonObject | string> {
  const said = await respondToReview(does, reviewOf(object));
  if (said.outcome === 'failed') return said.error;
  const { patch, patchType, uid, ...others } = said.response;
  expect([uid, patchType]).toEqual(['u', patch === undefined ? undefined : 'JSONPatch']);
  return typeof patch === 'string' ? { ...others, patch: linesOf(patch, object) } : others;
}

function linesOf(patch: string, object: JsonObject | null): readonly string[] {
  const text = Buffer.from(patch, 'base64').toString();
  const decoded = decodePatch(text);
  if (decoded.outcome === 'undecodable') throw new Error(decoded.error);
  expect(applyJsonPatch(object, decoded.patch).outcome).toBe('patched');
  const operations: { op: string; path: string; value?: unknown }[] = JSON.parse(text);
  return operations.map(
    ({ op, path, value }) => `${op} ${path}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`,
  );
}

const allow: JsonObject = { allowed: true };
const sidecar = { type: 'sidecar', container: { name: 'proxy', image: 'p' }, init: false } as const;
const proxy = '{"name":"proxy","image":"p"}';
const set = (fields: Readonly<Record<string, JsonValue>>): Behaviour => ({ type: 'set', fields });
const label = (labels: Readonly<Record<string, string>>): Behaviour => ({ type: 'label', labels });

const patches: readonly [fact: string, does: readonly Behaviour[], object: JsonObject, patch: readonly string[]][] = [
  ['a label beside others', [label({ team: 'a' })], pod, ['add /metadata/labels/team "a"']],
  ['a label that is different', [label({ app: 'api' })], pod, ['replace /metadata/labels/app "api"']],
  ['a label with a slash', [label({ 'a.io/b~c': 'x' })], pod, ['add /metadata/labels/a.io~1b~0c "x"']],
  [
    'the first annotations, all at once',
    [{ type: 'annotate', annotations: { a: '1', b: '2' } }],
    pod,
    ['add /metadata/annotations {"a":"1","b":"2"}'],
  ],
  [
    'two behaviours, one patch',
    [label({ a: '1' }), label({ a: '2', b: '1' })],
    pod,
    ['add /metadata/labels/a "2"', 'add /metadata/labels/b "1"'],
  ],
  ['a sidecar for a Pod', [sidecar], pod, [`add /spec/containers/- ${proxy}`]],
  ['an init container, the first one', [{ ...sidecar, init: true }], pod, [`add /spec/initContainers [${proxy}]`]],
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'ReplicationController'].map(
    (kind): [string, readonly Behaviour[], JsonObject, readonly string[]] => [
      `a sidecar for a ${kind}`,
      [sidecar],
      workload(kind, template),
      [`add /spec/template/spec/containers/- ${proxy}`],
    ],
  ),
  [
    'a sidecar for a CronJob',
    [sidecar],
    workload('CronJob', { jobTemplate: { spec: template } }),
    [`add /spec/jobTemplate/spec/template/spec/containers/- ${proxy}`],
  ],
  ['a field', [set({ 'spec.hostNetwork': true })], pod, ['add /spec/hostNetwork true']],
  ['a field that is different', [set({ '/spec/replicas': 4 })], pod, ['replace /spec/replicas 4']],
  ['a field whose parents are missing', [set({ 'spec.a.b': 1, 'spec.a.c': [] })], pod, ['add /spec/a {"b":1,"c":[]}']],
  [
    'a field of a list by index',
    [set({ 'spec.containers[0].image': 'x' })],
    pod,
    ['replace /spec/containers/0/image "x"'],
  ],
  ['a field of a list by dots', [set({ 'spec.containers.0.tty': true })], pod, ['add /spec/containers/0/tty true']],
  ['the end of a list', [set({ '/spec/containers/-': { name: 'b' } })], pod, ['add /spec/containers/- {"name":"b"}']],
  ['a new list', [set({ 'spec.tolerations.-.key': 'a' })], pod, ['add /spec/tolerations [{"key":"a"}]']],
  [
    'a key with dots, in brackets',
    [set({ "metadata.labels['a.io/b']": 'x' })],
    pod,
    ['add /metadata/labels/a.io~1b "x"'],
  ],
  [
    'a key with dots, with backslashes',
    [set({ 'metadata.labels.a\\.io/b': 'x' })],
    pod,
    ['add /metadata/labels/a.io~1b "x"'],
  ],
  ['an escaped key', [set({ '/metadata/labels/a.io~1b': 'x' })], pod, ['add /metadata/labels/a.io~1b "x"']],
  ["a path in kubectl's way", [set({ '.spec.replicas': 4 })], pod, ['replace /spec/replicas 4']],
  ['null', [set({ 'spec.nodeName': null })], pod, ['add /spec/nodeName null']],
  [
    'operations as they stand, between others',
    [
      label({ a: '1' }),
      { type: 'patch', operations: [{ op: 'remove', path: '/spec/replicas' }] },
      set({ 'spec.replicas': 1 }),
    ],
    pod,
    ['add /metadata/labels/a "1"', 'remove /spec/replicas', 'add /spec/replicas 1'],
  ],
];

test.each(patches)('%s', async (_fact, does, object, patch) => {
  expect(await answer(does, object)).toEqual({ allowed: true, patch });
});

const patched = Buffer.from('[{"op":"add","path":"/spec/x","value":1}]').toString('base64');
const script = (run: (review: JsonObject) => unknown): Behaviour => ({ type: 'script', run });
const noResponse = 'return the response of the AdmissionReview ({ allowed, status, patch, … }), or nothing to allow';

const answers: readonly [fact: string, does: readonly Behaviour[], answer: JsonObject | string][] = [
  ['nothing to do', [], allow],
  ['allow', [{ type: 'allow' }], allow],
  ['a denial without explanation', [{ type: 'deny' }], { allowed: false }],
  [
    'a denial in full',
    [{ type: 'deny', message: 'no', code: 422, reason: 'Invalid' }],
    { allowed: false, status: { message: 'no', reason: 'Invalid', code: 422 } },
  ],
  [
    'a denial ends it, and takes the patch with it',
    [{ type: 'warn', warnings: ['a'] }, label({ a: '1' }), { type: 'deny' }, { type: 'warn', warnings: ['b'] }],
    { allowed: false, warnings: ['a'] },
  ],
  ['a label that is there', [label({ app: 'web' })], allow],
  ['a sidecar that is there', [{ ...sidecar, container: { name: 'web' } }], allow],
  [
    'warnings and audit annotations of all',
    [
      { type: 'warn', warnings: ['a', 'b'] },
      { type: 'warn', warnings: ['c'] },
      { type: 'audit', annotations: { k: 'v' } },
      { type: 'audit', annotations: { l: 'w' } },
    ],
    { allowed: true, warnings: ['a', 'b', 'c'], auditAnnotations: { k: 'v', l: 'w' } },
  ],
  [
    'a field below a number',
    [set({ 'spec.replicas.max': 1 })],
    'set spec.replicas.max: /spec/replicas is 3, which has no fields',
  ],
  [
    'an index beyond the end',
    [set({ 'spec.containers[2].image': 'x' })],
    'set spec.containers[2].image: /spec/containers is a list of 1 entry; 2 is none of them, nor the next',
  ],
  ...['spec[a', 'spec..a', 'spec.', '/spec//a', '/spec/~2', "spec['']", ''].map(
    (path): [string, readonly Behaviour[], string] => [
      `a path that is none: ${path}`,
      [set({ [path]: 1 })],
      `set: ${path || "''"} is no path; write spec.containers[0].image or /spec/containers/0/image`,
    ],
  ),
  ['a script that says nothing', [script(() => undefined)], allow],
  [
    'a script that denies',
    [script(() => ({ allowed: false, status: { message: 'no' } }))],
    { allowed: false, status: { message: 'no' } },
  ],
  ['a script that takes its time', [script(async () => ({ warnings: ['w'] }))], { allowed: true, warnings: ['w'] }],
  [
    'a script that gives operations',
    [script(() => ({ patch: [{ op: 'add', path: '/spec/x', value: 1 }] }))],
    { allowed: true, patch: ['add /spec/x 1'] },
  ],
  [
    'a script that gives base64',
    [script(() => ({ allowed: true, patchType: 'JSONPatch', patch: patched }))],
    { allowed: true, patch: ['add /spec/x 1'] },
  ],
  [
    'a script that gives the whole review',
    [script(() => ({ kind: 'AdmissionReview', response: { allowed: false } }))],
    { allowed: false },
  ],
  [
    'a script that sees what was done before, and may change its copy',
    [
      label({ a: '1' }),
      script(
        (review) =>
          Reflect.set(Reflect.get(review, 'request') as object, 'object', null) && {
            warnings: [JSON.stringify(review).slice(-16)],
          },
      ),
    ],
    { allowed: true, warnings: [',"object":null}}'], patch: ['add /metadata/labels/a "1"'] },
  ],
  ['a script that throws', [script(() => Promise.reject(new Error('out of tea')))], 'out of tea'],
  ['a script that returns a text', [script(() => 'no')], `a script returned a string; ${noResponse}`],
  ['a script that returns a list', [script(() => [])], `a script returned a list; ${noResponse}`],
  [
    'a script that returns no JSON',
    [
      script(() => {
        const a: Record<string, unknown> = {};
        a['a'] = a;
        return a;
      }),
    ],
    `a script returned something that is no JSON; ${noResponse}`,
  ],
];

test.each(answers)('%s', async (_fact, does, expected) => {
  expect(await answer(does)).toEqual(expected);
});

test('a script may give back 64-bit integers', async () => {
  const said = await respondToReview(
    [script(() => ({ patch: [{ op: 'add', path: '/x', value: 2n ** 53n + 1n }] }))],
    reviewOf(pod),
  );
  const patch = said.outcome === 'answered' ? said.response['patch'] : '';
  expect(Buffer.from(asString(patch), 'base64').toString()).toContain('9007199254740993');
});

// What no good webhook sends goes out as it is: the server is to complain.
test.each([
  [{ allowed: 'yes' }],
  [{ uid: 'x' }],
  [{ patch: '!' }],
  [{ patch: patched, patchType: 'Merge' }],
  [{ warnings: 'w' }],
  [{ auditAnnotations: { a: 1 } }],
  [{ allowed: true, status: { code: 200 } }],
])('a script may answer %j', async (raw) => {
  const said = await respondToReview([script(() => raw)], reviewOf(pod));
  expect(said).toEqual({ outcome: 'answered', response: { uid: 'u', allowed: true, ...raw } });
});

const everything: readonly Behaviour[] = [
  label({ a: '1' }),
  { type: 'annotate', annotations: { a: '1' } },
  sidecar,
  set({ a: 1 }),
  { type: 'patch', operations: [{ op: 'add', path: '/a', value: 1 }] },
  script(() => ({ patch: [{ op: 'add', path: '/a', value: 1 }] })),
];

// Source: review-delete.json and review-exec-connect.json of the recorded facts: `object` is null, or options.
test('without an object there is nothing to patch', async () => {
  expect(await answer(everything, null)).toEqual(allow);
  const connect = { kind: 'PodExecOptions', apiVersion: 'v1', command: ['sh'] };
  expect(await answer(everything.slice(0, 3), connect)).toEqual(allow);
});

const versions: readonly [version: string | undefined, spoil: 'wrong-version' | undefined, answered: string][] = [
  ['v1', undefined, 'v1'],
  ['v1beta1', undefined, 'v1beta1'],
  [undefined, undefined, 'v1'],
  ['v1', 'wrong-version', 'v1beta1'],
  ['v1beta1', 'wrong-version', 'v1'],
];

// Source: rules RSP-21, RSP-24: a review is answered in the version it was asked in.
test.each(versions)('asked in %s and spoilt by %s, a stub answers in %s', async (version, spoil, answered) => {
  const review = { ...reviewOf(pod), apiVersion: version && `admission.k8s.io/${version}` };
  const reply = await replyTo({ name: 'w', does: [], faults: [] }, review, spoil);
  expect(JSON.parse(reply.body)).toEqual({
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${answered}`,
    response: { uid: 'u', allowed: true },
  });
});

test('echo shows what the webhook saw', async () => {
  const request = {
    operation: 'UPDATE',
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    subResource: 'scale',
    namespace: 'shop',
    name: 'web',
    userInfo: { username: 'alice' },
    dryRun: true,
  };
  const review = reviewOf(null, request);
  const said = await respondToReview([{ type: 'echo' }], review);
  expect(said).toEqual({
    outcome: 'answered',
    response: {
      uid: 'u',
      allowed: true,
      warnings: ['saw UPDATE deployments/scale.apps shop/web by alice, dry run'],
      auditAnnotations: { request: JSON.stringify(review['request']) },
    },
  });
});
