import { expect, test } from 'vitest';
import type { UserInfo } from '../../../src/apiserver/auth/user.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

// What kube-apiserver v1.36.2 answered. Source: kubernetes pkg/registry/resource/utils.go.
const resource = '/apis/resource.k8s.io/v1/namespaces';
const notLabelled =
  'Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace';
const asked = (...requests: readonly object[]) => ({
  devices: {
    requests: requests.map((more, index) => ({ name: `r${index}`, exactly: { deviceClassName: 'c', ...more } })),
  },
});
const admin = { adminAccess: true };

test.each([
  ['default', 'ResourceClaim', asked({}, admin, admin), `spec.devices.requests[1].adminAccess: ${notLabelled}`],
  ['default', 'ResourceClaimTemplate', { spec: asked(admin) }, `spec.devices.requests[0].adminAccess: ${notLabelled}`],
  [
    'default',
    'ResourceClaim',
    asked({ ...admin, count: -1, allocationMode: 'ExactCount' }),
    `[spec.devices.requests[0].adminAccess: ${notLabelled}, spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero]`,
  ],
  ['default', 'ResourceClaim', asked({ adminAccess: false }), undefined],
  ['labelled', 'ResourceClaim', asked(admin), undefined],
  ['labelled', 'ResourceClaimTemplate', { spec: asked(admin) }, undefined],
])('access as an administrator in the namespace %s: %s %j', async (namespace, kind, spec, complaint) => {
  const world = await createTestWorld();
  const labels = { 'resource.kubernetes.io/admin-access': 'true' };
  await world.send('POST', '/api/v1/namespaces', { metadata: { name: 'labelled', labels } });
  const path = `${resource}/${namespace}/${kind.toLowerCase()}s`;
  const { body } = await world.send('POST', path, { metadata: { name: 'x' }, spec });
  const text = complaint && `${kind}.resource.k8s.io "x" is invalid: ${complaint}`;
  expect(body['message']).toBe(text);
});

const user: UserInfo = { username: 'user', uid: '', groups: ['system:authenticated'], extra: {} };
const driver: UserInfo = {
  username: 'system:serviceaccount:default:driver',
  uid: '',
  groups: ['system:authenticated'],
  extra: { 'authentication.kubernetes.io/node-name': ['n1'] },
};

async function grant(world: TestWorld, rules: readonly object[]): Promise<void> {
  const path = '/apis/rbac.authorization.k8s.io/v1';
  const metadata = { name: 'granted' };
  await world.send('POST', `${path}/clusterroles`, { metadata, rules });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'granted' };
  const subjects = [user, driver].map(({ username: name }) => ({ apiGroup: roleRef.apiGroup, kind: 'User', name }));
  await world.send('POST', `${path}/clusterrolebindings`, { metadata, roleRef, subjects });
}

const rule = (what: string, verb: string, more: object = {}) => ({
  apiGroups: ['resource.k8s.io'],
  resources: [`resourceclaims/${what}`],
  verbs: [verb],
  ...more,
});
const place = 'in API group "resource.k8s.io"';
const noBinding = `status.allocation: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="patch" permission: resourceclaims.resource.k8s.io is forbidden: User "user" cannot patch resource "resourceclaims/binding" ${place} at the cluster scope`;
const noDriver = (name: string, verbs: string, first: string, who = 'user'): string =>
  `status.devices: Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[${verbs}]" permission: resourceclaims.resource.k8s.io "${name}" is forbidden: User "${who}" cannot ${first} resource "resourceclaims/driver" ${place} in the namespace "default"`;

const results = [{ request: 'r0', driver: 'd.example.com', pool: 'p', device: 'd' }];
const onNode = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }] };
const allocation = { devices: { results }, nodeSelector: onNode };
const reported = { devices: [{ driver: 'd.example.com', pool: 'p', device: 'd' }] };
const arbitrary = 'arbitrary-node:patch';
const associated = 'associated-node:patch';

interface Row {
  readonly before?: object;
  readonly as?: UserInfo;
  readonly granted?: readonly object[];
  readonly status: object;
  readonly complaint?: string;
}

test.each<readonly [name: string, row: Row]>([
  ['nothing changed', { before: { allocation }, status: {} }],
  ['an allocation', { status: { allocation }, complaint: noBinding }],
  ['an allocation, with the right', { status: { allocation }, granted: [rule('binding', 'patch')] }],
  [
    'a reservation',
    {
      before: { allocation },
      status: { reservedFor: [{ resource: 'pods', name: 'x', uid: 'u' }] },
      complaint: noBinding,
    },
  ],
  [
    'a device',
    { before: { allocation }, status: reported, complaint: noDriver('d.example.com', arbitrary, arbitrary) },
  ],
  [
    'a device, with the right for another driver',
    {
      before: { allocation },
      status: reported,
      granted: [rule('driver', arbitrary, { resourceNames: ['e.example.com'] })],
      complaint: noDriver('d.example.com', arbitrary, arbitrary),
    },
  ],
  [
    'a device, with the right for its driver',
    {
      before: { allocation },
      status: reported,
      granted: [rule('driver', arbitrary, { resourceNames: ['d.example.com'] })],
    },
  ],
  [
    'a device that is no longer reported',
    {
      before: { allocation, ...reported },
      status: { devices: [] },
      complaint: noDriver('d.example.com', arbitrary, arbitrary),
    },
  ],
  [
    'a device on its own node',
    {
      before: { allocation },
      as: driver,
      status: reported,
      complaint: noDriver('d.example.com', `${associated} ${arbitrary}`, associated, driver.username),
    },
  ],
  [
    'a device on its own node, with the right',
    { before: { allocation }, as: driver, status: reported, granted: [rule('driver', associated)] },
  ],
  [
    'a device elsewhere, with the right on its own node',
    {
      before: { allocation: { devices: { results } } },
      as: driver,
      status: reported,
      granted: [rule('driver', associated)],
      complaint: noDriver('d.example.com', arbitrary, arbitrary, driver.username),
    },
  ],
  [
    'a deallocation takes devices with it',
    { before: { allocation, ...reported }, status: { allocation: null }, granted: [rule('binding', 'patch')] },
  ],
])('the status of a claim: %s', async (_name, { before, as = user, granted = [], status, complaint }) => {
  const world = await createTestWorld();
  const path = `${resource}/default/resourceclaims`;
  await world.send('POST', path, { metadata: { name: 'x' }, spec: asked({}) });
  const prepared = await world.send('PATCH', `${path}/x/status`, { status: before ?? {} });
  expect(prepared.code).toBe(200);
  await grant(world, [rule('status', 'patch'), ...granted]);
  const { body } = await world.send('PATCH', `${path}/x/status`, { status }, { as });
  expect(body['message']).toBe(complaint && `ResourceClaim.resource.k8s.io "x" is invalid: ${complaint}`);
});
