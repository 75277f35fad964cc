import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { validateEndpoints, validateEndpointsUpdate } from '../../../../src/api/validation/core/endpoints.ts';

const endpoints = (...subsets: readonly JsonObject[]) => ({
  kind: 'Endpoints',
  apiVersion: 'v1',
  metadata: { name: 'e' },
  subsets,
});
const notAnIp = 'must be a valid IP address';

// As kube-apiserver v1.36.2 answers.
test.each<readonly [JsonObject, readonly string[]]>([
  [{ addresses: [{ ip: '1.2.3.4', hostname: 'h', nodeName: 'n.a' }], ports: [{ port: 80, protocol: 'TCP' }] }, []],
  [{ addresses: [] }, ['subsets[0]: must specify `addresses` or `notReadyAddresses`']],
  [
    { addresses: [{ ip: 'x' }] },
    [
      `subsets[0].addresses[0].ip: ${notAnIp}, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
      `subsets[0].addresses[0].ip: ${notAnIp}`,
    ],
  ],
  [{ addresses: [{ ip: '01.2.3.4' }] }, ['subsets[0].addresses[0].ip: must not have leading 0s']],
  [
    { notReadyAddresses: [{ ip: '0.0.0.0' }] },
    ['subsets[0].notReadyAddresses[0].ip: may not be unspecified (0.0.0.0)'],
  ],
  [
    {
      addresses: [{ ip: '1.2.3.4' }],
      ports: [
        { port: 1, protocol: 'TCP' },
        { name: 'b', port: 2, protocol: '' },
      ],
    },
    ['subsets[0].ports[0].name: ', 'subsets[0].ports[1].protocol: '],
  ],
])('%j', (subset, complaints) => {
  expect(validateEndpoints(endpoints(subset)).map(({ field, detail }) => `${field}: ${detail}`)).toEqual(complaints);
});

test('a nodeName may be absent, not empty; what is stored may stay', () => {
  const stored = endpoints({ addresses: [{ ip: '1.2.3.4', nodeName: '' }] });
  expect(validateEndpoints(stored).map(({ field }) => field)).toEqual(['subsets[0].addresses[0].nodeName']);
  expect(validateEndpointsUpdate(stored, stored)).toEqual([]);
});
