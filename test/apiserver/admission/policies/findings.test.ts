import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { mutatingPolicy, validatingPolicy } from '../../../harness/policies.ts';
import { createTestWorld, type TestWorld } from '../../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

async function created(world: TestWorld): Promise<string> {
  const body: JsonObject = { metadata: { name: 'c' }, data: { k: 'v' } };
  const { code, message } = await world.send('POST', configMaps, body);
  return `${code} ${message}`.trim();
}

// Source: answers of kube-apiserver v1.36.2, of which no recorded conversation is left here.
test.each<readonly [sentence: string, spec: JsonObject, answer: string]>([
  [
    'an empty field of request is absent',
    { validations: [{ expression: '!has(request.subResource) && !has(request.requestSubResource)' }] },
    '201',
  ],
  [
    'reading an empty field of request is an error',
    { validations: [{ expression: "request.subResource == ''" }] },
    'no such key: subResource',
  ],
  [
    'errors of variables nest',
    {
      variables: [
        { name: 'a', expression: 'object.data.none' },
        { name: 'b', expression: "variables.a + 'x'" },
      ],
      validations: [{ expression: "variables.b == 'x'" }],
    },
    'composited variable "b" fails to evaluate: composited variable "a" fails to evaluate: no such key: none',
  ],
  [
    'an error and a false condition skip the policy',
    {
      matchConditions: [
        { name: 'error', expression: 'object.data.none == 1' },
        { name: 'false', expression: "object.data.k != 'v'" },
      ],
      validations: [{ expression: 'false' }],
    },
    '201',
  ],
  ['message is trimmed', { validations: [{ expression: 'false', message: '  no  ' }] }, 'denied request: no'],
])('%s', async (_sentence, spec, answer) => {
  const world = await createTestWorld();
  await validatingPolicy(world, 'p', spec);
  expect(await created(world)).toContain(answer);
});

test('under Ignore a mutation that fails is left out, and those around it stand', async () => {
  const world = await createTestWorld();
  const expressions = ['Object{data: {"a": "1"}}', 'Object{data: {"b": object.data.none}}', 'Object{data: {"c": "3"}}'];
  await mutatingPolicy(world, 'p', expressions, { failurePolicy: 'Ignore' });
  const { body } = await world.send('POST', configMaps, { metadata: { name: 'c' } });
  expect(body['data']).toEqual({ a: '1', c: '3' });
});

const jsonPatch = (expression: string): JsonObject => ({
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
});

test.each<readonly [sentence: string, expression: string, answer: string]>([
  [
    'of a pointer without its slash the first part is lost',
    '[JSONPatch{op: "add", path: "data/k", value: "w"}]',
    '500 Internal error occurred: strict decoding error: unknown field "k"',
  ],
  [
    'an unknown field ends the request despite Ignore',
    '[JSONPatch{op: "add", path: "/no", value: "w"}]',
    '500 Internal error occurred: strict decoding error: unknown field "no"',
  ],
])('%s', async (_sentence, expression, answer) => {
  const world = await createTestWorld();
  await mutatingPolicy(world, 'p', [], { ...jsonPatch(expression), failurePolicy: 'Ignore' });
  expect(await created(world)).toBe(answer);
});

test('an object whose name is changed is stored under the new one', async () => {
  const world = await createTestWorld();
  await mutatingPolicy(world, 'p', ['Object{metadata: Object.metadata{name: "other"}}']);
  await created(world);
  expect((await world.send('GET', `${configMaps}/other`)).code).toBe(200);
});

// Source: apiserver pkg/admission/plugin/policy/validating/dispatcher.go: what an expression makes nothing of is no annotation.
test('annotations are of the expressions that gave a value', async () => {
  const world = await createTestWorld();
  const auditAnnotations = [
    { key: 'said', valueExpression: "'by ' + object.metadata.name" },
    { key: 'nothing', valueExpression: 'null' },
    { key: 'broken', valueExpression: "object.data.none + ''" },
  ];
  await validatingPolicy(world, 'p', { auditAnnotations, failurePolicy: 'Ignore' });
  expect(await created(world)).toBe('201');
  const passes = world.finished.at(-1)?.journal.entries() ?? [];
  const annotations = passes.flatMap((entry) => (entry.type === 'admission' ? entry.result.annotations : []));
  expect(annotations.map(({ key, value }) => [key, value])).toEqual([['p/said', 'by c']]);
});

// Follows apiserver pkg/admission/plugin/policy/mutating/patch: each mutation has the budget of a policy, ten million, with
// its variables; a call alone has a million.
test.each([
  [12, 'validation failed due to running out of cost budget, no further validation rules will be run'],
  [1, '201'],
])('a mutation that needs %i variables of 900,000 each: %s', async (count, end) => {
  const world = await createTestWorld();
  const names = Array.from({ length: count }, (_none, at) => `v${at}`);
  const dear = "[1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, !object.data.k.contains('w'))";
  const variables = names.map((name) => ({ name, expression: dear }));
  const all = names.map((name) => `variables.${name}`).join(' && ');
  await mutatingPolicy(world, 'dear', [`${all} ? Object{} : Object{}`], { variables });
  const data = { k: 'v'.repeat(1_000_000) };
  const { code, message } = await world.send('POST', configMaps, { metadata: { name: 'c' }, data });
  expect(`${code} ${message}`.trim().slice(-end.length)).toBe(end);
});

// Ours: only coverage asks for them, and to count them takes a second evaluation.
test('variables of policies are recorded only with coverage', async () => {
  const world = await createTestWorld();
  const variables = [{ name: 'v', expression: 'object.data.k' }];
  await mutatingPolicy(world, 'm', ['Object{data: {"w": variables.v}}'], { variables });
  await validatingPolicy(world, 'v', { variables, validations: [{ expression: "variables.v == 'v'" }] });
  expect(await created(world)).toBe('201');
  const passes = world.finished.at(-1)?.journal.entries() ?? [];
  const records = passes.flatMap((entry) => (entry.type === 'admission' ? entry.result.records : []));
  const reported = records.flatMap((record) => (record.type === 'policy' ? [record.variables] : []));
  expect(reported).toEqual([undefined, undefined, undefined]); // Of both passes that mutate, and of the one that validates.
});
