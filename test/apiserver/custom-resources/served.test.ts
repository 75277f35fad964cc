import { expect, onTestFinished, test } from 'vitest';
import { asList, asObject, asString, type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import { metadataOf } from '../../../src/machinery/meta/object.ts';
import { type Cluster, startCluster } from '../../controllers/cluster.ts';
import { mutatingPolicy } from '../../harness/policies.ts';
import { definition, definitions, version, widget, widgets } from './widgets.ts';

async function cluster(controllers: readonly string[] = []): Promise<Cluster> {
  const made = await startCluster(controllers);
  onTestFinished(async () => {
    expect(made.bugs).toEqual([]);
    await made.close();
  });
  return made;
}

const conditions = async ({ find }: Cluster, name: string): Promise<readonly unknown[]> => {
  const found = valueAt((await find(`${definitions}/${name}`)) ?? {}, 'status', 'conditions');
  const list = Array.isArray(found) ? found : [];
  return list.map(({ type, status, reason }: JsonObject) => [type, status, reason].map(asString).join(' '));
};

// Source: conversations crd-def-accepted, crd-default-nested and crd-prune-nested with kube-apiserver v1.36.2.
test('the request after a definition finds its resource, defaulted and pruned', async () => {
  const made = await cluster();
  const created = await made.send('POST', definitions, definition());
  expect(created['status']).toEqual({
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: ['v1'],
  });
  const stored = await made.send('POST', widgets, widget('x', { spec: { a: 'b', unknown: 1 } }));
  expect(stored['spec']).toEqual({ a: 'b', size: 1 });
  expect(await conditions(made, 'widgets.example.com')).toEqual([
    'NamesAccepted True NoConflicts',
    'Established True InitialNamesAccepted',
  ]);
});

// Source: the same writes to kube-apiserver v1.36.2, which counts what was sent and stores what is left of it.
test('a definition is stored with the metadata of its defaults as it can be read', async () => {
  const made = await cluster();
  const fallback = (metadata: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Pod', metadata });
  const a = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
  const ofDefault = (metadata: JsonObject): JsonObject => ({
    openAPIV3Schema: { type: 'object', properties: { a: { ...a, default: fallback(metadata) } } },
  });
  const versions = [version('v1', { storage: true, schema: ofDefault({ q: 1 }) })];
  const created = await made.send('POST', definitions, definition({ versions }));
  expect(created).toMatchObject({ metadata: { generation: 1 }, spec: { versions: [{ schema: ofDefault({}) }] } });
  const merge = 'application/merge-patch+json';
  const again = await made.send('PATCH', `${definitions}/widgets.example.com`, { spec: { versions } }, merge);
  expect(again).toMatchObject({ metadata: { generation: 2 } });
  expect(asObject(asList(asObject(again['spec'])['versions'])[0])['schema']).toEqual(ofDefault({}));
});

// Source: crd-names-conflict-resolved.
test('a name that is taken is accepted when its owner goes', async () => {
  const made = await cluster();
  const gadgets = definition({ names: { plural: 'gadgets', kind: 'Widget' } }, 'gadgets.example.com');
  await made.send('POST', definitions, definition());
  await made.send('POST', definitions, gadgets);
  expect(await conditions(made, 'gadgets.example.com')).toEqual([
    'NamesAccepted False ListKindConflict',
    'Established False NotAccepted',
  ]);
  await made.send('DELETE', `${definitions}/widgets.example.com`);
  expect(await conditions(made, 'gadgets.example.com')).toEqual([
    'NamesAccepted True NoConflicts',
    'Established True InitialNamesAccepted',
  ]);
});

// Source: the same update of a definition of kube-apiserver v1.36.2, whose own plural is taken too.
test('a short name that is the plural of the definition itself is in use', async () => {
  const made = await cluster();
  await made.send('POST', definitions, definition());
  const names = { shortNames: ['wd', 'widgets'] };
  await made.send('PATCH', `${definitions}/widgets.example.com`, { spec: { names } }, 'application/merge-patch+json');
  expect(await conditions(made, 'widgets.example.com')).toEqual([
    'NamesAccepted False ShortNamesConflict',
    'Established True InitialNamesAccepted',
  ]);
});

// Source: crd-delete-definition and crd-delete-stuck-on-instance-finalizer.
test('a deleted definition takes its objects with it, and waits for those that are held', async () => {
  const made = await cluster();
  await made.send('POST', definitions, definition());
  await made.send('POST', widgets, widget('free'));
  await made.send('POST', widgets, widget('held', { metadata: { name: 'held', finalizers: ['example.com/hold'] } }));
  await made.send('DELETE', `${definitions}/widgets.example.com`);
  expect(await made.names(widgets)).toEqual(['held']);
  expect(await conditions(made, 'widgets.example.com')).toContain('Terminating True InstanceDeletionInProgress');
  await expect(made.send('POST', widgets, widget('new'))).rejects.toThrow(
    'while custom resource definition is terminating',
  );
  const patch = { metadata: { finalizers: null } };
  await made.send('PATCH', `${widgets}/held`, patch, 'application/merge-patch+json');
  await made.settle();
  expect(await made.find(`${definitions}/widgets.example.com`)).toBeUndefined();
});

// Source: crd-default-on-read-of-old-objects and crd-update-storage-version.
test('objects are read by the schema of today, and stored versions are remembered', async () => {
  const made = await cluster();
  await made.send('POST', definitions, definition());
  await made.send('POST', widgets, widget('x', { spec: { a: 'b' } }));
  const current = asObject(await made.find(`${definitions}/widgets.example.com`));
  const versions = [
    version('v1', { schema: { openAPIV3Schema: { type: 'object' } } }),
    version('v2', { storage: true }),
  ];
  const changed = { ...current, spec: { ...asObject(current['spec']), versions } };
  const updated = await made.send('PUT', `${definitions}/widgets.example.com`, changed);
  expect(valueAt(updated, 'status', 'storedVersions')).toEqual(['v1', 'v2']);
  expect(await made.find(`${widgets}/x`)).not.toHaveProperty('spec');
});

test('the garbage collector and the end of a namespace reach custom resources', async () => {
  const made = await cluster(['*']);
  await made.send('POST', definitions, definition());
  const owner = await made.send('POST', widgets, widget('owner'));
  const uid = String(metadataOf({ kind: '', apiVersion: '', ...owner }).uid);
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'owner', uid }];
  await made.send('POST', widgets, widget('child', { metadata: { name: 'child', ownerReferences } }));
  await made.send('DELETE', `${widgets}/owner`);
  await made.settle();
  expect(await made.names(widgets)).toEqual([]);
  await made.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
  await made.send('POST', widgets.replace('default', 'n'), widget('inside'));
  await made.send('DELETE', '/api/v1/namespaces/n');
  await made.settle();
  expect(await made.find('/api/v1/namespaces/n')).toBeUndefined();
});

// Source: apiextensions-apiserver pkg/controller/establish/establishing_controller.go and its cabundle_test.go.
test.each([
  ['Cg==', 'Established False InvalidCABundle'],
  ['', 'Established True InitialNamesAccepted'],
])('a converter with the caBundle %o: %s', async (caBundle, condition) => {
  const made = await cluster();
  const clientConfig = { url: 'https://converter.example', caBundle };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  await made.send('POST', definitions, definition({ conversion }));
  expect(await conditions(made, 'widgets.example.com')).toEqual(['NamesAccepted True NoConflicts', condition]);
});

// Source: requests to kube-apiserver v1.36.2, of such a definition and of one whose caBundle is blank.
test('a definition whose converter cannot be made answers nothing; a caBundle of blanks is none', async () => {
  const made = await cluster();
  const become = (caBundle: string): JsonObject => {
    const clientConfig = { url: 'https://converter.example', caBundle };
    return { conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } } };
  };
  await made.send('POST', definitions, definition(become('Zm9v')));
  await expect(made.send('GET', widgets)).rejects.toThrow('Internal error occurred: error resolving resource');
  await made.send(
    'PATCH',
    `${definitions}/widgets.example.com`,
    { spec: become('ICAg') },
    'application/merge-patch+json',
  );
  expect(await made.names(widgets)).toEqual([]);
});

test('a caBundle that is mended lets the definition be established', async () => {
  const made = await cluster();
  const clientConfig = { url: 'https://converter.example', caBundle: 'Cg==' };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  await made.send('POST', definitions, definition({ conversion }));
  await made.send(
    'PATCH',
    `${definitions}/widgets.example.com`,
    { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } },
    'application/merge-patch+json',
  );
  expect(await conditions(made, 'widgets.example.com')).toEqual([
    'NamesAccepted True NoConflicts',
    'Established True InitialNamesAccepted',
  ]);
});

// Source: apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go allowInvalidCABundle.
test('once it is established, a caBundle stays one that can be read', async () => {
  const made = await cluster();
  const clientConfig = { url: 'https://converter.example' };
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
  await made.send('POST', definitions, definition({ conversion }));
  const become = (caBundle: string, more: JsonObject = {}): Promise<unknown> => {
    const webhook = { clientConfig: { ...clientConfig, caBundle }, ...more };
    const path = `${definitions}/widgets.example.com`;
    return made.send('PATCH', path, { spec: { conversion: { webhook } } }, 'application/merge-patch+json');
  };
  await expect(become('Cg==')).rejects.toThrow(
    'spec.conversion.webhookClientConfig.caBundle: Invalid value: "Cg==": unable to load root certificates: unable to parse bytes as PEM block',
  );
  // It precedes the errors about the versions of reviews.
  await expect(become('Cg==', { conversionReviewVersions: ['V1'] })).rejects.toThrow(
    /caBundle: .*PEM block, spec\.conversion\.conversionReviewVersions\[0\]: /,
  );
  await expect(become('')).resolves.toBeDefined();
});

// Source: recorded conversation map-apply-crd-object.
test('an apply configuration of a mutating policy is merged by the schema of the definition', async () => {
  const made = await cluster();
  await made.send('POST', definitions, definition());
  const rules = [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['*'], resources: ['widgets'] }];
  await mutatingPolicy(made, 'p', ['Object{spec: Object.spec{size: 5}}'], {
    matchConstraints: { resourceRules: rules },
  });
  const stored = await made.send('POST', widgets, widget('x', { spec: { a: 'b' } }));
  expect(stored['spec']).toEqual({ a: 'b', size: 5 });
});

// Source: subresources_test.go of apiextensions-apiserver test/integration, TestSubresourcePatch.
test('a scale to what it is stores nothing', async () => {
  const made = await cluster();
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
  await made.send(
    'POST',
    definitions,
    definition({ versions: [version('v1', { storage: true, subresources: { scale } })] }),
  );
  await made.send('POST', widgets, widget('x', { spec: {} }));
  const patch = () =>
    made.send('PATCH', `${widgets}/x/scale`, { spec: { replicas: 7 } }, 'application/merge-patch+json');
  const first = await patch();
  expect(await patch()).toEqual(first);
  const strategic = made.send('PATCH', `${widgets}/x/scale`, {}, 'application/strategic-merge-patch+json');
  await expect(strategic).rejects.toThrow('unknown format'); // No more than for the object itself.
});

// Follows apiextensions-apiserver pkg/controller/finalizer/crd_finalizer.go OverlappingBuiltInResources. Of other built-in
// resources upstream keeps the objects elsewhere.
test.each([
  ['apiservices', 'apiregistration.k8s.io', 'APIService', 'OverlappingBuiltInResource'],
  ['ingresses', 'networking.k8s.io', 'Ingress', 'InstanceDeletionCompleted'],
])('a definition of %s.%s that goes leaves the built-in objects alone', async (plural, group, kind, reason) => {
  const made = await cluster();
  const name = `${plural}.${group}`;
  const defined = definition({ group, names: { plural, kind }, versions: [version('v9', { storage: true })] }, name);
  const annotations = { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/1' };
  await made.send('POST', definitions, {
    ...defined,
    metadata: { name, annotations, finalizers: ['example.com/held'] },
  });
  expect(await conditions(made, name)).toContain('Established True InitialNamesAccepted');
  const path =
    group === 'networking.k8s.io' ? `/apis/${group}/v1/namespaces/default/${plural}` : `/apis/${group}/v1/${plural}`;
  const spec = { defaultBackend: { service: { name: 'a', port: { number: 80 } } } };
  if (kind === 'Ingress')
    await made.send('POST', path, { kind, apiVersion: `${group}/v1`, metadata: { name: 'a' }, spec });
  const count = async (): Promise<unknown> => asList((await made.find(path))?.['items']).length;
  const before = await count();
  expect(before).toBeGreaterThan(0);
  await made.send('DELETE', `${definitions}/${name}`);
  expect(await count()).toBe(before);
  expect(await conditions(made, name)).toContain(`Terminating False ${reason}`);
});
