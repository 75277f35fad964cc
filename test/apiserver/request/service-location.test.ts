import { expect, test } from 'vitest';
import { adminUser, createTestWorld } from '../../harness/world.ts';

const world = await createTestWorld({ authorizationMode: 'AlwaysAllow' });
const as = adminUser;
const v1 = '/api/v1/namespaces/default';
const create = async (resource: string, object: object) =>
  expect([(await world.send('POST', `${v1}/${resource}`, object, { as })).code, object]).toEqual([201, object]);

await create('serviceaccounts', { metadata: { name: 'default' } });
const ports = [
  { name: 'web', port: 80 },
  { name: 'alt', port: 8080 },
];
await create('services', { metadata: { name: 'lonely' }, spec: { ports } });
await create('services', { metadata: { name: 'full' }, spec: { ports } });
await create('pods', { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
await world.send('PATCH', `${v1}/pods/p/status`, { status: { podIPs: [{ ip: '10.1.1.1' }] } }, { as });
await create('endpoints', { metadata: { name: 'empty' } });
const targetRef = { kind: 'Pod', namespace: 'default', name: 'p' };
await create('endpoints', {
  metadata: { name: 'full' },
  subsets: [
    { addresses: [{ ip: '10.1.1.9', targetRef }, { ip: '10.1.1.1' }], ports: [{ name: 'alt', port: 8080 }] },
    {
      addresses: [
        { ip: '10.1.1.9', targetRef },
        { ip: '10.1.1.1', targetRef },
      ],
      ports: [{ name: 'web', port: 80 }],
    },
  ],
});
const ours = 'kadmit: the request passed admission, but there is no kubelet here to answer services/proxy';

// Source: kubernetes pkg/registry/core/service/storage/storage.go ResourceLocation, apimachinery pkg/util/net/port_split.go.
test.each<readonly [service: string, code: number, message: string]>([
  ['lonely', 404, 'services "lonely" not found'],
  ['none', 404, 'services "none" not found'],
  ['none:80', 404, 'services "none" not found'],
  ['lonely:81', 503, 'no service port 81 found for service "lonely"'],
  ['lonely:80', 404, 'services "lonely" not found'],
  ['empty', 503, 'no endpoints available for service "empty"'],
  ['ftp:lonely:80', 400, 'invalid service request "ftp:lonely:80"'],
  ['a:b:c:d', 400, 'invalid service request "a:b:c:d"'],
  [':80', 400, 'invalid service request ":80"'],
  ['full', 503, 'no endpoints available for service "full"'],
  ['full:other', 503, 'no endpoints available for service "full:other"'],
  ['full:8080', 503, 'no endpoints available for service "full:8080"'],
  ['full:web', 501, ours],
  ['https:full:80', 501, ours],
])('GET of services/%s/proxy is %i', async (service, code, message) => {
  const answer = await world.send('GET', `${v1}/services/${service}/proxy`, undefined, { as });
  expect([answer.code, answer.message]).toEqual([code, message]);
});
