import { expect, test } from 'vitest';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import { readJson } from '../../src/machinery/json/json-reader.ts';
import { writeJson } from '../../src/machinery/json/json-writer.ts';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import type { TypeRef } from '../../src/api/types/type-info.ts';
import { maximalObject } from '../harness/maximal-object.ts';
import { defaultRelease } from '../../src/api/release/load-release.ts';

const { encode, decode, canEncode, encodeWatchEvent } = await defaultRelease.loadProtobuf();

const kinds = [...defaultRelease.types.kinds.keys()].map((key): GroupVersionKind => {
  const at = key.lastIndexOf('/');
  return { ...parseApiVersion(key.slice(0, at)), kind: key.slice(at + 1) };
});
// Table is served as JSON only.
test('every field of what is served has a number', () => {
  const open = [...defaultRelease.types.kinds.values()];
  const seen = new Set(open);
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    const info = defaultRelease.types.typeInfo(type);
    const fields = info?.is === 'struct' ? info.fields : [];
    expect(fields.filter(({ number }) => number === 0)).toEqual([]);
    const parts = fields.flatMap((field) => namesIn(field.type)).filter((name) => !seen.has(name));
    for (const part of parts) seen.add(part);
    open.push(...parts);
  }
  expect(seen.size).toBeGreaterThan(600);
});

function namesIn(type: TypeRef): readonly string[] {
  if (type.type === 'list' || type.type === 'map') return namesIn(type.of);
  return type.type === 'named' ? [type.name] : [];
}

const metaKinds = ['Status', 'DeleteOptions', 'CreateOptions', 'PatchOptions', 'UpdateOptions', 'ListOptions'].map(
  (kind): GroupVersionKind => ({ group: '', version: 'v1', kind }),
);

/** The object as the server stores it. */
function stored(object: object, kind: GroupVersionKind): KubernetesObject {
  const reading = readJson(writeJson({ ...object }));
  if (reading.outcome === 'unreadable') throw new Error(reading.error);
  const decoded = defaultRelease.codec.decode(reading.json, kind);
  if (decoded.outcome === 'undecodable') throw new Error(decoded.error);
  expect(decoded.strict).toEqual([]);
  return decoded.object;
}

test.each([...kinds, ...metaKinds].map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind] as const))(
  'a %s with every field set comes back from protobuf unchanged',
  (_name, kind) => {
    const maximal = maximalObject(kind);
    const object = stored(maximal, kind);
    expect(object).toEqual(maximal);
    expect(decode(encode(object))).toEqual({ outcome: 'decoded', object });
  },
);

// generateName, namespace, selfLink, uid, resourceVersion, generation and creationTimestamp: no pointers in Go, so written.
const metadataOfZeros = '12001a0022002a00320038004200';

test('a list of metadata has other numbers in v1beta1', () => {
  // Fields 1 items and 2 metadata. Source: apimachinery pkg/apis/meta/v1beta1/generated.proto.
  const list = {
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1beta1',
    metadata: { resourceVersion: '7' },
    items: [{ metadata: { name: 'a' } }],
  };
  expect(Buffer.from(encode(list)).toString('hex')).toContain(`0a130a110a0161${metadataOfZeros}12070a001201371a00`);
});

test('a watch event holds its object in an envelope', () => {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } };
  const [inner, event] = [encode(object), encodeWatchEvent('ADDED', object)];
  // Fields 1 type and 2 object, whose field 1 are the bytes. Source: apimachinery pkg/apis/meta/v1/generated.proto.
  const head = [0x0a, 5, ...Buffer.from('ADDED'), 0x12, inner.length + 2, 0x0a, inner.length];
  expect([...event]).toEqual([...head, ...inner]);
});

test.each([
  ['a Table', { kind: 'Table', apiVersion: 'meta.k8s.io/v1' }],
  ['a custom resource', { kind: 'Thing', apiVersion: 'example.com/v1' }],
])('%s has no message', (_name, object) => {
  expect(canEncode(object)).toBe(false);
});
