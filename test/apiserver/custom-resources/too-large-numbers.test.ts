import { expect, test } from 'vitest';
import { adminUser } from '../../harness/world.ts';
import { things, worldOfThings } from './established.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const world = await worldOfThings({ type: 'object', properties: { n: { type: 'number' } } });
const thing = (n: string, name = 'a'): string =>
  `{"apiVersion":"turns.dev/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":{"n":${n}}}`;
await world.send('POST', things, thing('1', 'b'), { as: adminUser });
await world.send('POST', configMaps, { metadata: { name: 'c' } }, { as: adminUser });

const [json, merge, patch, strategic, apply] = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;
const too = (number: string, into = 'value'): string =>
  `json: cannot unmarshal number ${number} into Go ${into} of type float64`;
const handled = '400 Thing in version "v1" cannot be handled as a Thing: ';

// Source: sigs.k8s.io/json decode.go convertNumber and apiserver pkg/endpoints/handlers/patch.go, beside v1.36.2.
test.each<readonly [method: string, target: string, contentType: string, body: string, answer: string]>([
  ['POST', things, json, thing('1e400'), `${handled}${too('1e400')}`],
  ['PUT', `${things}/b`, json, thing('[1,-1e400,2e400]', 'b'), `${handled}${too('-1e400')}`],
  ['POST', things, json, thing('1e308'), '201'],
  // Another value of its key takes its place, but it is read all the same.
  ['POST', things, json, thing('1e400,"n":2', 'e'), `${handled}${too('1e400')}`],
  ['PATCH', `${things}/b`, merge, '{"n":1e400,"n":2}', `400 error decoding patch: ${too('1e400')}`],
  ['PATCH', `${configMaps}/c`, strategic, '{"x":1e400,"x":2}', `400 ${too('1e400')}`],
  ['PATCH', `${things}/b`, merge, '{"n":1e400}', `400 error decoding patch: ${too('1e400')}`],
  ['PATCH', `${things}/b`, merge, '{"x":[1,{"a":2e400}],"y":3e400}', `400 error decoding patch: ${too('2e400')}`],
  [
    'PATCH',
    `${things}/b`,
    patch,
    '[{"op":"add","path":"/spec/n","value":1e400}]',
    `400 error decoding patch: ${too('1e400', 'struct field jsonPatchOp.value')}`,
  ],
  ['PATCH', `${configMaps}/c?fieldValidation=Ignore`, strategic, '{"x":1e400}', `400 ${too('1e400')}`],
  ['PATCH', `${configMaps}/c?fieldValidation=Ignore`, merge, '{"x":1e400}', '200'],
  ['PATCH', `${configMaps}/c`, merge, '{"x":1e400}', `400 error decoding patch: ${too('1e400')}`],
  // Go's YAML reader, which reads what is applied, takes it for a text.
  [
    'PATCH',
    `${things}/d?fieldManager=m`,
    apply,
    thing('1e400', 'd'),
    '500 failed to create typed patch object (/d; turns.dev/v1, Kind=Thing): .spec.n: expected numeric (int or float), got string',
  ],
])('%s %s (%s) of %s is answered %s', async (...row) => {
  const [method, target, contentType, body, answer] = row;
  const { code, message } = await world.send(method, target, body, { contentType, as: adminUser });
  expect(`${code} ${message}`.trim()).toBe(answer);
});
