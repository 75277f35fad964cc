import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

// What kube-apiserver v1.36.2 answered. Source: dynamic-resource-allocation cel/compile.go, kubernetes pkg/apis/resource/validation.
const resource = '/apis/resource.k8s.io/v1';
const attributes = 'device.attributes["x"]';

/** `body` within a loop over the names of attributes for each of these variables. */
const loops = (variables: string, body: string): string =>
  variables.split('').reduceRight((inner, name) => `device.attributes.all(${name}, ${inner})`, body);

const created = 'created';
const tooDear = 'Forbidden: too complex, exceeds cost limit';
const notBool = (expression: string, type: string): string =>
  `Invalid value: ${JSON.stringify(expression)}: must evaluate to bool or the unknown type, not ${type}`;
const wrong = (expression: string, column: number, text: string): string =>
  `Invalid value: ${JSON.stringify(expression)}: compilation failed: ERROR: <input>:1:${column}: ${text}\n | ${expression}\n | ${'.'.repeat(column - 1)}^`;

test.each<readonly [expression: string, answer: string]>([
  ['device.driver == "dra.example.com"', created],
  ['device.attributes["dra.example.com"].services', created],
  ['cel.bind(dra, device.attributes["dra.example.com"], dra.oneBool && dra.anotherBool)', created],
  ['cel.bind(device, 1, device == 1)', created],
  ['cel.bind(a, 1, a)', notBool('cel.bind(a, 1, a)', 'int')],
  ['cel.bind(1, 2, true)', wrong('cel.bind(1, 2, true)', 10, 'cel.bind() variable names must be simple identifiers')],
  [
    'device.bind(a, 1, true)',
    `${wrong('device.bind(a, 1, true)', 12, "undeclared reference to 'bind' (in container '')")}\nERROR: <input>:1:13: undeclared reference to 'a' (in container '')\n | device.bind(a, 1, true)\n | ............^`,
  ],
  ['device.capacity["x"].memory.isGreaterThan(quantity("10Gi"))', created],
  ['device.capacity["x"].memory', notBool('device.capacity["x"].memory', 'kubernetes.Quantity')],
  ['device.allowMultipleAllocations', created],
  [`[${attributes}.b]`, notBool(`[${attributes}.b]`, 'list(google.protobuf.Any)')],
  ['dyn(true)', notBool('dyn(true)', 'dyn')],
  ['device.nope', wrong('device.nope', 7, "undefined field 'nope'")],
  ['object.x == 1', wrong('object.x == 1', 1, "undeclared reference to 'object' (in container '')")],
  [
    `${attributes}.list.exists(x, x == "a")`,
    wrong(
      `${attributes}.list.exists(x, x == "a")`,
      23,
      "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
    ),
  ],
  ['int("x") == 1', "Internal error: program instantiation failed: type conversion error from 'string' to 'int'"],
  [loops('abc', 'device.driver.startsWith("a")'), created],
  [loops('abcd', 'device.driver.startsWith("a")'), tooDear],
  [loops('abc', 'a+b+c == ""'), tooDear],
  [loops('abc', 'a == b && b == c'), created],
  [
    `${attributes}.all(k, ${attributes}.all(l, ${attributes}.all(m, ${attributes}[k].contains(${attributes}[l]))))`,
    tooDear,
  ],
])('%s: %s', async (expression, answer) => {
  const world = await createTestWorld();
  const body = { metadata: { name: 'x' }, spec: { selectors: [{ cel: { expression } }] } };
  const { code, body: said } = await world.send('POST', `${resource}/deviceclasses`, body);
  const text = `DeviceClass.resource.k8s.io "x" is invalid: spec.selectors[0].cel.expression: ${answer}`;
  expect([code, said['message']]).toEqual(answer === created ? [201, undefined] : [422, text]);
});

const undeclared = (name: string): string => wrong(name, 1, `undeclared reference to '${name}' (in container '')`);
const selecting = (expression: string) => ({ deviceClassName: 'c', selectors: [{ cel: { expression } }] });
const claimed = {
  requests: [
    { name: 'a', exactly: { ...selecting('foo'), count: -1, allocationMode: 'ExactCount' } },
    { name: 'b', firstAvailable: [{ name: 'x', ...selecting('bar') }] },
  ],
};
const claimedIn = (path: string): string =>
  `[${path}[0].exactly.selectors[0].cel.expression: ${undeclared('foo')}, ${path}[0].exactly.count: Invalid value: -1: must be greater than zero, ${path}[1].firstAvailable[0].selectors[0].cel.expression: ${undeclared('bar')}]`;

test.each([
  ['resourceclaims', 'ResourceClaim', { devices: claimed }, claimedIn('spec.devices.requests')],
  [
    'resourceclaimtemplates',
    'ResourceClaimTemplate',
    { spec: { devices: claimed } },
    claimedIn('spec.spec.devices.requests'),
  ],
])('expressions of %s are looked at where they stand', async (plural, kind, spec, faults) => {
  const world = await createTestWorld();
  const path = `${resource}/namespaces/default/${plural}`;
  const { code, body } = await world.send('POST', path, { metadata: { name: 'x' }, spec });
  expect([code, body['message']]).toEqual([422, `${kind}.resource.k8s.io "x" is invalid: ${faults}`]);
});

test('an update of a class compiles its expressions again', async () => {
  const world = await createTestWorld();
  const path = `${resource}/deviceclasses`;
  const body = (expression: string) => ({ metadata: { name: 'x' }, spec: { selectors: [{ cel: { expression } }] } });
  await world.send('POST', path, body('true'));
  const { body: said } = await world.send('PUT', `${path}/x`, body('foo'));
  expect(said['message']).toBe(
    `DeviceClass.resource.k8s.io "x" is invalid: spec.selectors[0].cel.expression: ${undeclared('foo')}`,
  );
});
