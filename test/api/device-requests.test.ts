import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import { currentRelease } from '../../src/api/release/current-release.ts';

const codec = currentRelease.codec;
const group = 'resource.k8s.io';
const claim = (version: string, requests: readonly JsonObject[]): JsonObject => ({
  kind: 'ResourceClaim',
  apiVersion: `${group}/${version}`,
  spec: { devices: { requests } },
});
const toleration = { key: 'k', operator: 'Exists' };

// Source: kubernetes pkg/apis/resource/v1beta1/conversion.go and conversion_test.go
test.each<[fact: string, early: JsonObject, late: JsonObject]>([
  [
    'its own fields are the exact request',
    { name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 2, tolerations: [toleration] },
    { name: 'r', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 2, tolerations: [toleration] } },
  ],
  [
    'alternatives alone',
    { name: 'r', deviceClassName: '', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
    { name: 'r', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
  ],
])('a request of v1beta1: %s', (_fact, early, late) => {
  for (const version of ['v1', 'v1beta2']) {
    const kind = { group, kind: 'ResourceClaim' };
    expect(
      codec.convertNow(
        { ...claim('v1beta1', [early]), kind: kind.kind, apiVersion: `${group}/v1beta1` },
        { ...kind, version },
      ),
    ).toEqual({
      outcome: 'converted',
      object: claim(version, [late]),
    });
    expect(
      codec.convertNow(
        { ...claim(version, [late]), kind: kind.kind, apiVersion: `${group}/${version}` },
        { ...kind, version: 'v1beta1' },
      ),
    ).toEqual({
      outcome: 'converted',
      object: claim('v1beta1', [early]),
    });
  }
});

test('a device of v1beta1 keeps all but its name in basic', () => {
  const slice = (apiVersion: string, device: JsonObject) => ({
    kind: 'ResourceSlice',
    apiVersion,
    spec: { devices: [device] },
  });
  const [early, late] = [
    { name: 'd', basic: { capacity: {} } },
    { name: 'd', capacity: {} },
  ];
  const kind = { group, kind: 'ResourceSlice' };
  expect(codec.convertNow(slice(`${group}/v1beta1`, early), { ...kind, version: 'v1' })).toEqual({
    outcome: 'converted',
    object: slice(`${group}/v1`, late),
  });
  expect(codec.convertNow(slice(`${group}/v1`, late), { ...kind, version: 'v1beta1' })).toEqual({
    outcome: 'converted',
    object: slice(`${group}/v1beta1`, early),
  });
});

// Source: kubernetes pkg/apis/resource/v1beta1/defaults.go
test.each<[fact: string, request: JsonObject, defaulted: JsonObject]>([
  [
    'an exact one',
    { name: 'r', deviceClassName: 'c' },
    { name: 'r', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 },
  ],
  [
    'all devices have no count',
    { name: 'r', deviceClassName: 'c', allocationMode: 'All' },
    { name: 'r', deviceClassName: 'c', allocationMode: 'All' },
  ],
  [
    'one with alternatives',
    { name: 'r', deviceClassName: '', firstAvailable: [{ name: 's', deviceClassName: 'c' }] },
    {
      name: 'r',
      deviceClassName: '',
      firstAvailable: [{ name: 's', deviceClassName: 'c', allocationMode: 'ExactCount', count: 1 }],
    },
  ],
])('defaults of a request of v1beta1: %s', (_fact, request, defaulted) => {
  const object = { ...claim('v1beta1', [request]), kind: 'ResourceClaim', apiVersion: `${group}/v1beta1` };
  expect(codec.applyDefaults(object)).toEqual(claim('v1beta1', [defaulted]));
});
