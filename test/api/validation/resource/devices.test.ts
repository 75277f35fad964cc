import { expect, test } from 'vitest';
import { fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';
import { withTaintTimes, dropDeallocatedStatusDevices } from '../../../../src/api/strategy/simple-rules.ts';
import { kindValidations } from '../../../../src/api/validation/kinds.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';

const of = (kind: string, spec: JsonObject, apiVersion = 'resource.k8s.io/v1') => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  spec,
});

const complaints = (resource: string, object: ReturnType<typeof of>): readonly string[] =>
  (kindValidations[`resource.k8s.io/${resource}`]?.validate?.(object) ?? []).map(fieldErrorText);

const slice = (device: JsonObject): ReturnType<typeof of> =>
  of('ResourceSlice', {
    driver: 'd.io',
    nodeName: 'n',
    pool: { name: 'p', resourceSliceCount: 1 },
    devices: [{ name: 'd', ...device }],
  });

// Source: kubernetes pkg/apis/resource/validation/validation_resourceslice_test.go; what was recorded is in
// test/facts/conversations/validation.
test.each<[fact: string, device: JsonObject, errors: readonly string[]]>([
  ['lists of values', { attributes: { a: { ints: [1, 2] }, b: { strings: ['x'] } } }, []],
  [
    'an empty list of values',
    { attributes: { a: { ints: [] } } },
    ['spec.devices[0].attributes[a].ints: Invalid value: []: must not be empty if specified'],
  ],
  [
    'more values than 48',
    { attributes: { a: { ints: Array.from({ length: 49 }, (_, index) => index) } } },
    ['spec.devices[0]: Invalid value: 49: the total number of attribute values must not exceed 48'],
  ],
  [
    'a version in a list',
    { attributes: { a: { versions: ['1.0.0', 'x'] } } },
    [
      'spec.devices[0].attributes[a].versions[1]: Invalid value: "x": must be a string compatible with semver.org spec 2.0.0',
    ],
  ],
  ['a name with two slashes is not looked at', { attributes: { 'A/B/C': { int: 1 } } }, []],
  [
    'a mapping of what is no resource of a node',
    { nodeAllocatableResourceMappings: { 'a.b/c': { allocationMultiplier: '0' }, cpu: { capacityKey: 'x' } } },
    [
      'spec.devices[0].nodeAllocatableResourceMappings[a.b/c]: Invalid value: "a.b/c": must be a node allocatable resource name',
      'spec.devices[0].nodeAllocatableResourceMappings[a.b/c].allocationMultiplier: Invalid value: "0": must be positive',
      'spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey: Not found: "x"',
    ],
  ],
])('a device: %s', (_fact, device, errors) => {
  expect(complaints('resourceslices', slice(device))).toEqual(errors);
});

test('the form before 1.34 is not read as the one of today', () => {
  const requests = { devices: { requests: [{ name: 'r', deviceClassName: 'c' }] } };
  expect(complaints('resourceclaims', of('ResourceClaim', requests, 'resource.k8s.io/v1beta1'))).toEqual([]);
  expect(complaints('resourceclaims', of('ResourceClaim', requests))).toEqual([
    'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
  ]);
  const older = { ...slice({ name: 'D' }), apiVersion: 'resource.k8s.io/v1alpha3' };
  expect(complaints('resourceslices', older)).toEqual([]);
});

const allocated = (status: JsonObject): JsonObject & ReturnType<typeof of> => ({ ...of('ResourceClaim', {}), status });
const result = { driver: 'd.io', pool: 'p', device: 'd' };

// Source: github.com/google/uuid Validate; validateUID.
test.each([
  ['6ba7b810-9dad-11d1-80b4-00c04fd430c8', /^nothing$/],
  ['6BA7B810-9dad-11d1-80b4-00c04fd430c8', /uid must be in RFC 4122 normalized form/],
  ['6ba7b8109dad11d180b400c04fd430c8', /uid must be in RFC 4122 normalized form/],
  ['6ba7b810-9dad-11d1-80b4-00c04fd430cg', /error validating uid: invalid UUID format/],
  ['x', /error validating uid: invalid UUID length: 1/],
])('the share %s of a device', (shareID, expected) => {
  const results = [{ ...result, request: 'r', shareID }];
  const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } };
  const claim = { ...allocated({ allocation: { devices: { results } } }), spec };
  const errors = kindValidations['resource.k8s.io/resourceclaims']?.validateUpdate?.(
    claim,
    { ...claim, status: {} },
    'status',
  );
  const [error = 'nothing'] = (errors ?? []).map(fieldErrorText);
  expect(error).toMatch(expected);
});

test('a taint has the time of the write, unless it has one', () => {
  const at = '2020-01-01T00:00:00Z';
  const taints = [
    { key: 'a', effect: 'None' },
    { key: 'b', effect: 'None', timeAdded: at },
  ];
  const timed = withTaintTimes(slice({ taints }), 0);
  expect(timed['spec']).toMatchObject({
    devices: [{ taints: [{ timeAdded: '1970-01-01T00:00:00Z' }, { timeAdded: at }] }],
  });
  const bare = slice({});
  expect(withTaintTimes(bare, 0)).toBe(bare);
});

test('the status of a device goes with its allocation', () => {
  const devices = [result, { ...result, device: 'e' }];
  const both = { devices: { results: devices } };
  const old = allocated({ allocation: both, devices });
  expect(
    dropDeallocatedStatusDevices(allocated({ allocation: { devices: { results: [result] } }, devices }), old)['status'],
  ).toEqual({
    allocation: { devices: { results: [result] } },
    devices: [result],
  });
  expect(dropDeallocatedStatusDevices(allocated({ devices }), old)['status']).toEqual({});
  expect(dropDeallocatedStatusDevices(old, old)).toBe(old);
});
