import { expect, test } from 'vitest';
import { adminUser } from '../../harness/world.ts';
import { things, worldOfThings } from './established.ts';

const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.turns.dev';
const world = await worldOfThings({ type: 'object', properties: { a: { type: 'string' } } });
const as = adminUser;
const thing = (a: string | number) => ({
  apiVersion: 'turns.dev/v1',
  kind: 'Thing',
  metadata: { name: 'old' },
  spec: { a },
});
await world.send('POST', things, thing('x'), { as });
const schema = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a/type';
const contentType = 'application/json-patch+json';
await world.send('PATCH', definition, [{ op: 'replace', path: schema, value: 'integer' }], { as, contentType });

// Source: apimachinery pkg/util/managedfields/internal/structuredmerge.go Apply, beside kube-apiserver v1.36.2.
test.each(['fieldManager=m', 'fieldManager=m&force=true', 'fieldManager=m&dryRun=All'])(
  'an apply (%s) over an object that its definition takes no longer is refused',
  async (query) => {
    const path = `${things}/old?${query}`;
    const answer = await world.send('PATCH', path, thing(3), { as, contentType: 'application/apply-patch+yaml' });
    expect(answer.code).toBe(500);
    expect(answer.message).toBe(
      'failed to create typed live object (default/old; turns.dev/v1, Kind=Thing): .spec.a: expected numeric (int or float), got string',
    );
  },
);

test('another write may mend it', async () => {
  const body = { spec: { a: 3 } };
  const answer = await world.send('PATCH', `${things}/old`, body, { as, contentType: 'application/merge-patch+json' });
  expect(answer.code).toBe(200);
});
