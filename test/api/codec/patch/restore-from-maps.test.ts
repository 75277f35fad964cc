import { expect, test } from 'vitest';
import { readJson } from '../../../../src/machinery/json/json-reader.ts';
import { decodeStrategicPatch } from '../../../../src/api/codec/patch/strategic-merge-fault.ts';
import { type RestoredDecoding, restoreFromMaps } from '../../../../src/api/codec/patch/decode-restored.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

function restored(type: string, text: string): RestoredDecoding {
  const reading = readJson(text);
  if (reading.outcome !== 'read') throw new Error(reading.error);
  return restoreFromMaps(recordedRelease.types, reading.json.value, type);
}

const deployment = 'apps.v1.Deployment';
const pod = 'core.v1.Pod';

// Source: spec/kubectl.md 7.4, column strategic, measured on v1.36.2; apimachinery pkg/runtime/converter.go.
const refusals: readonly [type: string, document: string, error: string][] = [
  [deployment, '{"spec":{"replicas":"2"}}', 'unrecognized type: int32'],
  [deployment, '{"spec":{"paused":"yes"}}', 'unrecognized type: bool'],
  ['core.v1.ConfigMap', '{"data":{"a":1}}', 'cannot convert int64 to string'],
  // More digits than an int64 has: recorded of kube-apiserver v1.36.2.
  ['core.v1.ConfigMap', '{"data":{"a":123456789012345678901234567890}}', 'unrecognized type: string'],
  ['core.v1.ConfigMap', '{"data":{"a":true}}', 'unrecognized type: string'],
  [pod, '{"spec":{"restartPolicy":1}}', 'cannot convert int64 to v1.RestartPolicy'],
  [deployment, '{"spec":{"replicas":2.5}}', 'cannot convert float64 to int32'],
  [deployment, '{"spec":"x"}', 'cannot restore struct from: string'],
  [deployment, '{"spec":["x"]}', 'cannot restore struct from: slice'],
  [pod, '{"spec":{"containers":"x"}}', 'cannot restore slice from string'],
  [pod, '{"spec":{"containers":{}}}', 'cannot restore slice from map'],
  [pod, '{"metadata":{"labels":["x"]}}', 'cannot restore map from slice'],
  ['core.v1.Secret', '{"data":{"a":"!!"}}', 'error decoding from json: illegal base64 data at input byte 0'],
  [
    pod,
    '{"metadata":{"creationTimestamp":"nope"}}',
    'parsing time "nope" as "2006-01-02T15:04:05Z07:00": cannot parse "nope" as "2006"',
  ],
];

test.each(refusals)('%s %s is refused', (type, document, error) => {
  expect(restored(type, document)).toEqual({ outcome: 'unrestorable', error });
});

const results: readonly [type: string, document: string, result: string][] = [
  [deployment, '{"spec":{"replicas":3.0}}', '{"spec":{"replicas":3}}'],
  [deployment, '{"spec":{"replicas":1e0}}', '{"spec":{"replicas":1}}'],
  [deployment, '{"spec":{"replicas":4294967297}}', '{"spec":{"replicas":1}}'],
  [deployment, '{"spec":{"replicas":100000000000000000000}}', '{"spec":{"replicas":0}}'],
  [deployment, '{"spec":{"replicas":2147483648}}', '{"spec":{"replicas":-2147483648}}'],
  [deployment, '{"spec":{"replicas":null},"bogus":1}', '{"spec":{"replicas":null},"bogus":1}'],
  [pod, '{"spec":{"containers":[null,{"name":"a","x":1.0}]}}', '{"spec":{"containers":[null,{"name":"a","x":1.0}]}}'],
];

test.each(results)('%s %s', (type, document, result) => {
  const reading = readJson(result);
  expect(restored(type, document)).toEqual({
    outcome: 'restored',
    document: reading.outcome === 'read' && reading.json.value,
  });
});

// Source: answers of kube-apiserver v1.36.2 on amd64.
test.each([
  ['1e20', -(2n ** 63n)],
  ['-1e20', -(2n ** 63n)],
  ['9223372036854775807', 2n ** 63n - 1n],
])('the int64 of %s', (number, generation) => {
  const result = restored(deployment, `{"metadata":{"generation":${number}}}`);
  expect(result).toEqual({ outcome: 'restored', document: { metadata: { generation } } });
});

test('the first error in the order of Go counts, whatever the order of the document', () => {
  const error = 'cannot restore map from string';
  expect(restored(pod, '{"spec":"x","metadata":{"labels":"x"}}')).toEqual({ outcome: 'unrestorable', error });
});

// Source: spec/kubectl.md 7.4.
const undecodable: readonly [patch: string, error: string][] = [
  ['[]', 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
  ['5', 'json: cannot unmarshal number into Go value of type map[string]interface {}'],
  ['"x"', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
  ['', 'unexpected end of JSON input'],
];

test.each(undecodable)('the patch %j is refused', (patch, error) => {
  expect(decodeStrategicPatch(patch)).toEqual({ outcome: 'undecodable', error });
});

test('null is an empty patch, and repeated members are reported', () => {
  expect(decodeStrategicPatch('null')).toEqual({ outcome: 'decoded', patch: {}, strict: [] });
  expect(decodeStrategicPatch('{"a":1,"a":2}')).toHaveProperty('strict', ['duplicate field "a"']);
});
