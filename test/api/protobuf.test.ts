import { expect, test } from 'vitest';
import { readJson } from '../../src/machinery/json/json-reader.ts';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import { parseApiVersion } from '../../src/machinery/meta/gvk.ts';
import { recordedRelease } from '../harness/recorded-release.ts';

const { decode, encode } = await recordedRelease.loadProtobuf();

function printed(text: string): KubernetesObject {
  const reading = readJson(text);
  if (reading.outcome !== 'read') throw new Error(reading.error);
  const { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string } = JSON.parse(text);
  const decoded = recordedRelease.codec.decode(reading.json, { ...parseApiVersion(apiVersion), kind });
  if (decoded.outcome !== 'decoded' || decoded.strict.length > 0) throw new Error(JSON.stringify(decoded));
  return decoded.object;
}

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

// Bytes put together by hand from generated.proto of k8s.io/api: the envelope, then the message.
test.each([
  [
    'a ConfigMap',
    '6b387300 0a0f 0a027631 1209436f6e6669674d6170 120f 0a03 0a0161 1206 0a0161 120162 2001 1a00 2200',
    { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, immutable: true, data: { a: 'b' } },
  ],
  [
    'DeleteOptions with an unknown field',
    '6b387300 0a13 0a027631 120d44656c6574654f7074696f6e73 1210 0800 220a4261636b67726f756e64 780f',
    { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' },
  ],
])('%s', (_sentence, bytes, object) => {
  expect(decode(hex(bytes))).toEqual({ outcome: 'decoded', object });
});

// Each text is an object in Go's printed form after decoding; the second way to the same object.
test.each([
  [
    'a Deployment',
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d","labels":{"__proto__":"x","b":"c"},"creationTimestamp":"2026-01-02T03:04:05Z","managedFields":[{"manager":"m","operation":"Update","apiVersion":"apps/v1","time":"2026-01-02T03:04:05Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:replicas":{}}}}]},"spec":{"replicas":-1,"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80,"protocol":"TCP"}],"resources":{"limits":{"cpu":"500m","memory":"1Gi"}}}]}},"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":1}}}}',
  ],
  [
    'a Pod',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","deletionGracePeriodSeconds":0},"spec":{"volumes":[{"name":"v","configMap":{"name":"c","optional":false}},{"name":"e","emptyDir":{}}],"containers":[{"name":"c","env":[{"name":"A","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu"}}}],"livenessProbe":{"httpGet":{"port":"http"},"periodSeconds":9}}],"ephemeralContainers":[{"name":"d","targetContainerName":"c"}],"automountServiceAccountToken":false}}',
  ],
  [
    'a ConfigMap',
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"c","annotations":{"a":"ü€😀"}},"data":{"k":"v","e":""},"binaryData":{"b":"AQID"},"immutable":false}',
  ],
  [
    'a Lease',
    '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"l"},"spec":{"holderIdentity":"","leaseDurationSeconds":15,"acquireTime":"2026-01-02T03:04:05.123456Z","renewTime":"1969-12-31T23:59:59.999999Z"}}',
  ],
  [
    'a CustomResourceDefinition',
    '{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"c"},"spec":{"group":"g","names":{"plural":"p","kind":"K"},"scope":"Cluster","versions":[{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","default":{"a":[1,null]},"maximum":1.5,"properties":{"a":{"items":{"type":"string"},"additionalProperties":false},"b":{"additionalProperties":{"type":"integer"},"items":[{},{"type":"null"}]}},"dependencies":{"x":["y"],"z":{"type":"string"}}}}}]}}',
  ],
  [
    'a SubjectAccessReview',
    '{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{"user":"u","extra":{"a":["b","c"],"d":[]}}}',
  ],
  [
    'DeleteOptions of a group',
    '{"kind":"DeleteOptions","apiVersion":"policy/v1","dryRun":["All"],"preconditions":{"uid":"u"},"orphanDependents":false}',
  ],
  [
    'an Eviction',
    '{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"p"},"deleteOptions":{"gracePeriodSeconds":5}}',
  ],
  [
    '64 bits',
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","generation":9007199254740993},"spec":{"containers":null,"activeDeadlineSeconds":-5}}',
  ],
])('%s survives the wire', (_sentence, text) => {
  const object = printed(text);
  expect(decode(encode(object))).toEqual({ outcome: 'decoded', object });
});

const pod = encode(
  printed('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"containers":[{"name":"c"}]}}'),
);

// apimachinery pkg/runtime/serializer/protobuf/protobuf.go.
test.each([
  ['nothing', new Uint8Array(), 'empty data'],
  [
    'JSON',
    new TextEncoder().encode('{}'),
    'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
  ],
  ['a prefix alone', hex('6b387300'), 'empty body'],
  [
    'more values than anybody sends',
    hex(`6b387300 0a09 0a027631 1203506f64 12 c29a0c ${'0a00'.repeat(100_001)}`),
    'kadmit takes at most 100000 values in a body',
  ],
  ['a truncated body', pod.slice(0, -12), 'unexpected EOF'],
  ['a length beyond the end', hex('6b387300 0affffffff0f'), 'unexpected EOF'],
  ['an endless varint', hex('6b387300 0affffffffffffffffffffffff'), 'unexpected EOF'],
  [
    'a wrong wire type',
    hex('6b387300 0a09 0a027631 1203506f64 1202 0801'),
    'proto: wrong wireType = 0 for field metadata',
  ],
  [
    'no kind',
    hex('6b387300 0a04 0a027631 1200'),
    `Object 'Kind' is missing in 'runtime.TypeMeta{APIVersion:"v1", Kind:""}'`,
  ],
])('%s is undecodable', (_sentence, bytes, error) => {
  expect(decode(bytes)).toEqual({ outcome: 'undecodable', error });
});

test('the kind of the path fills an envelope without one', () => {
  const decoded = decode(hex('6b387300 0a00 1205 0a03 0a0161'), { group: '', version: 'v1', kind: 'ConfigMap' });
  expect(decoded).toEqual({
    outcome: 'decoded',
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } },
  });
});

test('an unknown kind decodes to kind and apiVersion', () => {
  const decoded = decode(hex('6b387300 0a0a 0a03612f62 1203466f6f 1200'));
  expect(decoded).toEqual({ outcome: 'decoded', object: { kind: 'Foo', apiVersion: 'a/b' } });
});

test('whatever bytes are changed or cut, decoding answers', () => {
  const outcomes = new Set<string>();
  for (let at = 4; at < pod.length; at += 1) {
    for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
      outcomes.add(decode(pod.with(at, byte)).outcome);
    }
    outcomes.add(decode(pod.slice(0, at)).outcome);
  }
  expect([...outcomes].toSorted((a, b) => a.localeCompare(b))).toEqual(['decoded', 'undecodable']);
});

const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];

/** A CustomResourceDefinition whose schema says `not` so many times: fields 28, then 1, 4, 3 and 2 on the way out. */
function nested(depth: number): Uint8Array {
  const heads: (readonly number[])[] = [];
  let size = 0;
  const wrap = (tag: readonly number[]): void => {
    heads.push([...tag, ...varint(size)]);
    size += (heads.at(-1) ?? []).length;
  };
  for (let level = 0; level < depth; level += 1) wrap([0xe2, 0x01]);
  for (const field of [1, 4, 7, 2]) wrap([(field << 3) | 2]);
  wrap([0x12]);
  const type = hex(
    '0a330a17617069657874656e73696f6e732e6b38732e696f2f76311218437573746f6d5265736f75726365446566696e6974696f6e',
  );
  return Uint8Array.from([...hex('6b387300'), ...type, ...heads.toReversed().flat()]);
}

test.each([
  ['groups', Uint8Array.from([...hex('6b387300'), ...new Uint8Array(100_000).fill(0x7b)])],
  ['messages', nested(20_000)],
])('deeply nested %s are refused, not a crash', (_sentence, bytes) => {
  expect(decode(bytes).outcome).toBe('undecodable');
});

test('a schema nested fifty deep is read', () => {
  expect(decode(nested(50)).outcome).toBe('decoded');
});
