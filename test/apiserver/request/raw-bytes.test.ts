import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

const templates = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates';
const template = (parameters: object) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'rct' },
  spec: {
    spec: {
      devices: {
        requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }],
        config: [{ opaque: { driver: 'd.example.com', parameters } }],
      },
    },
  },
});
const asSent = { kind: 'X', apiVersion: 'v1', b: 1, a: 2 };
const sorted = { a: 2, apiVersion: 'v1', b: 1, kind: 'X' };
const labels = '{"metadata":{"labels":{"a":"b"}}}';

interface Write {
  readonly query?: string;
  readonly body: unknown;
  /** Of a PATCH. */
  readonly contentType?: string;
}

// Source: answers of kube-apiserver v1.36.2: RawExtension is bytes, which strategic merge patch and apply write anew.
test.each<[act: string, write: Write, code: number]>([
  ['a PUT of the same bytes', { body: template(asSent) }, 200],
  ['a PUT with other keys first', { body: template(sorted) }, 422],
  ['a strategic merge patch of labels', { body: labels, contentType: 'application/strategic-merge-patch+json' }, 422],
  [
    'an apply of the same',
    {
      query: '?fieldManager=m&force=true',
      body: JSON.stringify(template(asSent)),
      contentType: 'application/apply-patch+yaml',
    },
    422,
  ],
  ['a merge patch of labels', { body: labels, contentType: 'application/merge-patch+json' }, 200],
  [
    'a JSON patch of labels',
    { body: '[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]', contentType: 'application/json-patch+json' },
    200,
  ],
])('%s where parameters are opaque', async (_act, { query = '', body, contentType }, code) => {
  const world = await createTestWorld();
  await world.send('POST', templates, template(asSent));
  const method = contentType === undefined ? 'PUT' : 'PATCH';
  const answer = await world.send(method, `${templates}/rct${query}`, body, contentType ? { contentType } : {});
  const printed = '"Parameters":{"a":2,"apiVersion":"v1","b":1,"kind":"X"}';
  const isRefusal = answer.message.includes(printed) && answer.message.endsWith('field is immutable');
  expect([answer.code, isRefusal]).toEqual([code, code === 422]);
});

// Source: answer of kube-apiserver v1.36.2.
test('the data of a ControllerRevision are bytes', async () => {
  const world = await createTestWorld();
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const revision = (data: object) => ({ metadata: { name: 'r' }, revision: 1, data });
  await world.send('POST', path, revision({ b: 1, a: 2 }));
  const same = await world.send('PUT', `${path}/r`, revision({ b: 1, a: 2 }));
  const other = await world.send('PUT', `${path}/r`, revision({ a: 2, b: 1 }));
  expect([same.code, other.message]).toEqual([
    200,
    'ControllerRevision.apps "r" is invalid: data: Invalid value: {"a":2,"b":1}: field is immutable',
  ]);
});
