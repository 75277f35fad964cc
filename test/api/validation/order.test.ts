import { expect, test } from 'vitest';
import { withMetadata } from '../../../src/machinery/meta/object.ts';
import { readSamples } from '../../differ/samples.ts';
import { accepted, create, creating, decoded, type Manifest, update } from '../strategy/write.ts';

const sampleOf = (resource: string): Manifest => {
  const sample = readSamples().find((one) => one.resource === resource);
  if (!sample) throw new Error(`no sample of ${resource}`);
  return sample.object;
};
const podWith = (spec: Manifest): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const endpoints = (...addresses: readonly Manifest[]): Manifest => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'e' },
  subsets: [{ addresses }],
});
const ingress = (resource: Manifest): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'i' },
  spec: { defaultBackend: { resource } },
});
const spread = (topologyKey: string): Manifest =>
  podWith({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway' }] });
const init = (restartPolicyRules: readonly Manifest[]): Manifest =>
  podWith({ initContainers: [{ name: 'i', image: 'i', restartPolicyRules }] });
const ip = 'must be a valid IP address';
const node = 'subsets[0].addresses[0].nodeName: Invalid value: "%": a lowercase RFC 1123 subdomain must consist';

/** What kube-apiserver v1.36.2 names, in its order; the texts may go on. */
test.each<readonly [string, Manifest, readonly string[]]>([
  ['a topology key of any form', spread('*/5 * * * *'), ['created']],
  ['no topology key', spread(''), ['spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty']],
  [
    'restart rules of an init container without a policy',
    init([{ action: '-a' }, {}]),
    ['spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used'],
  ],
  [
    'an operating system that JSON escapes',
    podWith({ os: { name: 'a\u0000' } }),
    ['spec.os: Unsupported value: "a\\u0000": supported values: "linux", "windows"'],
  ],
  [
    'an endpoint without a readable address',
    endpoints({ ip: 'a', nodeName: '%' }),
    [
      'subsets[0].addresses[0].ip: Invalid value: "a": must be a valid IP address, (e.g.',
      node,
      `Invalid value: "a": ${ip}]`,
    ],
  ],
  [
    'an endpoint of the machine itself',
    endpoints({ ip: '127.0.0.1', nodeName: '%' }),
    [node, 'Invalid value: "127.0.0.1": may not be in the loopback range'],
  ],
  [
    'a reference of an ingress',
    ingress({ kind: '', name: 'b/', apiGroup: '%' }),
    [
      'spec.defaultBackend.resource.apiGroup: Invalid value: "%": a lowercase RFC 1123 subdomain',
      'spec.defaultBackend.resource.kind: Required value',
      `spec.defaultBackend.resource.name: Invalid value: "b/": may not contain '/'`,
    ],
  ],
])('%s', (_what, manifest, texts) => {
  const message = creating(manifest);
  const places = texts.map((text) => message.indexOf(text));
  expect(message).toContain(texts[0]);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(message.split(': Required value').length + message.split(' value: "').length - 2).toBeLessThanOrEqual(
    texts.length,
  );
});

test('the class of a service is looked at first, and kept even when it is empty', () => {
  const old = withMetadata(accepted(create(decoded(sampleOf('services')))), { resourceVersion: '1' });
  const spec = { ...Object(old['spec']), clusterIP: 'None', clusterIPs: ['None'], externalIPs: ['*'] };
  const asked = { ...old, spec: { ...spec, loadBalancerClass: '' } };
  expect(update(asked, { ...old, spec: { ...spec, externalIPs: [] } })).toMatch(
    /^Service "n1" is invalid: \[spec\.loadBalancerClass: Forbidden: .*, spec\.externalIPs\[0\]/,
  );
});

test('a request for a certificate that is not there is null', () => {
  const sample = sampleOf('certificatesigningrequests');
  const { request: _request, ...spec } = Object(sample['spec']);
  expect(creating({ ...sample, spec })).toContain('spec.request: Invalid value: null: PEM block type must be');
});
