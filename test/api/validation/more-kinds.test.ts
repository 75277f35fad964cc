import { describe, expect, test } from 'vitest';
import { type FieldError, fieldErrorText } from '../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { kindValidations } from '../../../src/api/validation/kinds.ts';

const kubernetesObject = (object: JsonObject): KubernetesObject => ({ apiVersion: 'v1', kind: 'Kind', ...object });

const texts = (errors: readonly FieldError[] | undefined): readonly string[] => (errors ?? []).map(fieldErrorText);
const created = (kind: string, object: JsonObject): readonly string[] =>
  texts(kindValidations[kind]?.validate?.(kubernetesObject(object)));
const updated = (kind: string, object: JsonObject, old: JsonObject): readonly string[] => {
  const metadata = { name: 'n', namespace: 'd' };
  const [is, was] = [object, old].map((one) => kubernetesObject({ metadata, ...one }));
  return texts(is && was && kindValidations[kind]?.validateUpdate?.(is, was, ''));
};

// kube-apiserver v1.36.2 answers with these.
describe('a new object', () => {
  test.each([
    [
      'storage.k8s.io/csidrivers',
      { spec: { volumeLifecycleModes: ['X'] } },
      ['spec.volumeLifecycleModes: Unsupported value: "X": supported values: "Persistent", "Ephemeral"'],
    ],
    [
      'storage.k8s.io/csinodes',
      { spec: { drivers: [{ name: 'a', nodeID: '' }] } },
      ['spec.drivers[0].nodeID: Required value'],
    ],
    [
      'storage.k8s.io/volumeattachments',
      { spec: { attacher: 'a', nodeName: 'n', source: {} } },
      ['spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
    ],
    [
      'storage.k8s.io/volumeattributesclasses',
      { driverName: 'a' },
      ['parameters: Required value: must contain at least one key/value pair'],
    ],
    ['/endpoints', { subsets: [{}] }, ['subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`']],
    [
      'discovery.k8s.io/endpointslices',
      { addressType: 'IPv4', endpoints: [{ addresses: ['::1'] }] },
      [
        'endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address',
        'endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      'networking.k8s.io/ipaddresses',
      { spec: { parentRef: { resource: 'services' } } },
      ['spec.parentRef.name: Required value'],
    ],
    [
      'networking.k8s.io/servicecidrs',
      { spec: { cidrs: ['1.2.3.4/24'] } },
      ['spec.cidrs[0]: Invalid value: "1.2.3.4/24": must not have bits set beyond the prefix length'],
    ],
    [
      'networking.k8s.io/networkpolicies',
      { spec: { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }] }] } },
      ['spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`'],
    ],
    [
      'networking.k8s.io/networkpolicies',
      { spec: { egress: [{ to: [{ ipBlock: { cidr: 'fd00::/32', except: ['fd00:0:1::/48'] } }] }] } },
      [],
    ],
    [
      'flowcontrol.apiserver.k8s.io/flowschemas',
      { spec: { matchingPrecedence: 5, priorityLevelConfiguration: {} } },
      ['spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
    ],
    [
      'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
      { spec: { type: 'X' } },
      ['spec.type: Unsupported value: "X": supported values: "Exempt", "Limited"'],
    ],
    [
      '/nodes',
      { status: { capacity: { pods: '500m' } } },
      ['status.capacity.pods: Invalid value: "500m": must be an integer'],
    ],
    [
      '/events',
      { metadata: { namespace: 'd' }, involvedObject: {} },
      ['involvedObject.namespace: Invalid value: "": does not match event.namespace'],
    ],
  ])('of %s', (kind, object, errors) => {
    expect(created(kind, object)).toEqual(errors);
  });
});

describe('a change', () => {
  test.each([
    [
      'storage.k8s.io/storageclasses',
      { parameters: { a: 'b' } },
      { parameters: {} },
      ['parameters: Invalid value: {"a":"b"}: field is immutable'],
    ],
    [
      'networking.k8s.io/servicecidrs',
      { spec: { cidrs: ['10.0.0.0/8', 'fd00::/64'] } },
      { spec: { cidrs: ['10.0.0.0/8'] } },
      [],
    ],
    [
      'resource.k8s.io/resourceclaims',
      { spec: {} },
      { spec: { devices: {} } },
      ['spec: Invalid value: {"Devices":{"Requests":null,"Constraints":null,"Config":null}}: field is immutable'],
    ],
    [
      'events.k8s.io/events',
      { reason: 'b' },
      { reason: 'a' },
      expect.arrayContaining(['reason: Invalid value: "b": field is immutable']),
    ],
  ])('of %s', (kind, object, old, errors) => {
    expect(updated(kind, object, old)).toEqual(errors);
  });
});
