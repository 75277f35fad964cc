import { expect, test } from 'vitest';
import { createLayout } from '../../../src/adapters/storage/etcd/layout.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const builtIn = recordedRelease
  .createCatalogue(() => true)
  .all()
  .map(({ storage }) => storage);
const layout = createLayout('/registry', builtIn);

// Source: kubernetes pkg/kubeapiserver/default_storage_factory_builder.go SpecialDefaultResourcePrefixes; apiextensions-apiserver
// pkg/apiserver/customresource_handler.go crdConversionRESTOptionsGetter; keys of a cluster's etcd.
test.each([
  ['', 'pods', 'default', 'a', '/registry/pods/default/a'],
  ['', 'namespaces', '', 'default', '/registry/namespaces/default'],
  ['', 'nodes', '', 'n1', '/registry/minions/n1'],
  ['', 'services', 'default', 'kubernetes', '/registry/services/specs/default/kubernetes'],
  ['', 'endpoints', 'default', 'kubernetes', '/registry/services/endpoints/default/kubernetes'],
  ['', 'replicationcontrollers', 'ns', 'a', '/registry/controllers/ns/a'],
  ['apps', 'deployments', 'ns', 'a', '/registry/deployments/ns/a'],
  ['networking.k8s.io', 'ingresses', 'ns', 'a', '/registry/ingress/ns/a'],
  ['rbac.authorization.k8s.io', 'clusterroles', '', 'system:node', '/registry/clusterroles/system:node'],
  ['coordination.k8s.io', 'leases', 'kube-system', 'x', '/registry/leases/kube-system/x'],
  [
    'apiextensions.k8s.io',
    'customresourcedefinitions',
    '',
    'widgets.example.com',
    '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com',
  ],
  ['apiregistration.k8s.io', 'apiservices', '', 'v1.apps', '/registry/apiregistration.k8s.io/apiservices/v1.apps'],
  ['example.com', 'widgets', 'ns', 'w', '/registry/example.com/widgets/ns/w'],
  ['example.com', 'deployments', '', 'w', '/registry/example.com/deployments/w'],
  ['gateway.networking.k8s.io', 'gateways', 'ns', 'g', '/registry/gateway.networking.k8s.io/gateways/ns/g'],
])('%s %s %s/%s lies at %s', (...[group, resource, namespace, name, path]) => {
  const key = { resource: { group, resource }, namespace, name };
  expect(layout.pathOf(key)).toBe(path);
  expect(layout.keyOf(path)).toMatchObject({ ...key, resource: { group, resource } });
  expect(path.startsWith(layout.folderOf({ group, resource }, namespace))).toBe(true);
});

test.each([
  '/registry/masterleases/10.0.0.1',
  '/registry/ranges/serviceips',
  '/registry/pods',
  '/registry/pods/ns/a/b',
  '/registry/health',
])('%s is no object of a resource', (path) => {
  expect(layout.keyOf(path)).toBeUndefined();
});

test('a prefix of one is none of another', () => {
  const other = createLayout('registry/a', builtIn);
  const end = createLayout('/registry', builtIn).end.toString();
  expect([other.root.toString(), other.end.toString(), end]).toEqual(['/registry/a/', '/registry/a0', '/registry0']);
});
