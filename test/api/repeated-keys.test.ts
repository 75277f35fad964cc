import { expect, test } from 'vitest';
import { parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import { readJson } from '../../src/machinery/json/json-reader.ts';
import { currentRelease } from '../../src/api/release/current-release.ts';

function decoded(apiVersion: string, kind: string, body: string): unknown {
  const reading = readJson(`{${body}}`);
  if (reading.outcome === 'unreadable') throw new Error(reading.error);
  const result = currentRelease.codec.decode(reading.json, { ...parseApiVersion(apiVersion), kind });
  return result.outcome === 'decoded' ? result.object : result.error;
}

const configMap = (body: string): unknown => decoded('v1', 'ConfigMap', body);

// Source: sigs.k8s.io/json internal/golang/encoding/json/decode.go object and array; the same bodies to kube-apiserver v1.36.2.
test.each<readonly [string, string, object]>([
  ['keys of a map are kept', '"data":{"a":"1","b":"2"},"data":{"b":"3","c":"4"}', { data: { a: '1', b: '3', c: '4' } }],
  ['null empties a map', '"data":{"a":"1"},"data":null,"data":{"b":"2"}', { data: { b: '2' } }],
  ['an empty map takes nothing away', '"data":{"a":"1"},"data":{}', { data: { a: '1' } }],
  ['null empties a pointer', '"immutable":true,"immutable":null', { metadata: {} }],
  ['null leaves a text', '"metadata":{"name":"a","name":null}', { metadata: { name: 'a' } }],
  [
    'fields of a struct are kept',
    '"metadata":{"name":"a","labels":{"x":"y"}},"metadata":{"labels":{"z":"w"},"annotations":{"q":"r"}}',
    { metadata: { name: 'a', labels: { x: 'y', z: 'w' }, annotations: { q: 'r' } } },
  ],
  ['null leaves a struct', '"metadata":{"name":"a"},"metadata":null', { metadata: { name: 'a' } }],
  [
    'a list has the items of the last one',
    '"metadata":{"finalizers":["a/b","c/d"],"finalizers":["e/f"]}',
    { metadata: { finalizers: ['e/f'] } },
  ],
  [
    'items are read over those in their places',
    '"metadata":{"ownerReferences":[{"name":"n","uid":"u"}],"ownerReferences":[{"name":"m"},{"name":"o"}]}',
    {
      metadata: {
        ownerReferences: [
          { name: 'm', uid: 'u' },
          { name: 'o', uid: '' },
        ].map((o) => ({ apiVersion: '', kind: '', ...o })),
      },
    },
  ],
  ['a key of a map has its last value', '"data":{"a":"x","a":"y"}', { data: { a: 'y' } }],
])('of a repeated key: %s', (_fact, body, expected) => {
  expect(configMap(body)).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: {}, ...expected });
});

test('each value of a repeated key must fit', () => {
  expect(configMap('"data":{"a":1},"data":{"a":"x"}')).toBe(
    'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
});

test('what is repeated inside of what is repeated is merged too', () => {
  const probe = '"livenessProbe":{"httpGet":{"port":80},"httpGet":{"path":"/x"}}';
  const body = `"spec":{"containers":[{"name":"c",${probe}}]},"spec":{"containers":[{"image":"i"}],"restartPolicy":"Never"}`;
  expect(decoded('v1', 'Pod', body)).toMatchObject({
    spec: {
      containers: [{ name: 'c', image: 'i', livenessProbe: { httpGet: { port: 80, path: '/x' } } }],
      restartPolicy: 'Never',
    },
  });
});

test('a key that is repeated twenty thousand times is read in time that grows with the text', () => {
  const maps = Array.from({ length: 20_000 }, (_none, at) => `"data":{"k${at}":""}`).join(',');
  expect(configMap(maps)).toMatchObject({ data: { k0: '', k19999: '' } });
});
