import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../src/apimachinery/object.ts';
import { bootstrapRbac } from '../../src/auth/bootstrap-rbac.ts';
import { createNodeAuthorizer } from '../../src/auth/node/node-authorizer.ts';
import type { ResourceQuestion } from '../../src/auth/authorizer.ts';
import { clusterOf, object } from '../harness/builtin-plugin.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';

const placed = (
  name: string,
  spec: Readonly<Record<string, never[] | object>>,
  annotations = {},
): KubernetesObject => ({
  ...object('v1', 'Pod', name),
  metadata: { name, namespace: 'ns', annotations },
  spec: JSON.parse(JSON.stringify({ nodeName: 'n1', ...spec })),
});
const cluster = clusterOf({
  pods: [
    placed('p', {
      volumes: [
        { name: 'a', persistentVolumeClaim: { claimName: 'claim' } },
        { name: 'b', projected: { sources: [{ configMap: { name: 'projected' } }] } },
        { name: 'c', ephemeral: {} },
      ],
      containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'env' } } }] }],
    }),
    placed('m', { imagePullSecrets: [{ name: 'mirrored' }] }, { 'kubernetes.io/config.mirror': 'x' }),
  ],
  persistentvolumes: [
    { ...object('v1', 'PersistentVolume', 'volume'), spec: { claimRef: { namespace: 'ns', name: 'claim' } } },
  ],
});

const unrelated = "no relationship found between node 'n1' and this object";
const others = 'can only list/watch pods with spec.nodeName field selector';
const notOwn = "node 'n1' cannot read 'n2', only its own Node object";

// Source: kubernetes plugin/pkg/auth/authorizer/node/node_authorizer_test.go.
const rows: readonly [question: string, extra: Partial<ResourceQuestion>, answer: string][] = [
  ['get secrets env', {}, 'allowed'],
  ['get secrets mirrored', {}, unrelated],
  ['update secrets env', {}, 'can only read resources of this type'],
  ['get configmaps projected', {}, 'allowed'],
  ['get persistentvolumeclaims claim', {}, 'allowed'],
  ['get persistentvolumeclaims p-c', {}, 'allowed'],
  ['list persistentvolumeclaims claim', {}, 'can only get individual resources of this type'],
  ['get persistentvolumes volume', { namespace: '' }, 'allowed'],
  ['get persistentvolumes other', { namespace: '' }, unrelated],
  ['get pods p', {}, 'allowed'],
  ['get pods q', {}, unrelated],
  ['list pods ', { fieldSelector: 'spec.nodeName=n1' }, 'allowed'],
  ['list pods ', { fieldSelector: 'spec.nodeName=n2' }, others],
  ['list pods ', {}, others],
  ['get nodes n2', { namespace: '' }, notOwn],
  ['list services ', {}, 'allowed'],
  ['create services s', {}, ''],
];

test.each(rows)('node n1: %s %j', (text, extra, answer) => {
  const [verb = '', resource = '', name = ''] = text.split(' ');
  const user = { username: 'system:node:n1', uid: '', groups: ['system:nodes'], extra: {} };
  const place = { group: '', version: 'v1', subresource: '', namespace: 'ns' };
  const decision = createNodeAuthorizer(
    cluster,
    bootstrapRbac(currentRelease.bootstrapRbac),
  )({ type: 'resource', user, verb, resource, name, ...place, ...extra });
  expect(decision.allowed ? 'allowed' : decision.reason).toBe(answer);
});
