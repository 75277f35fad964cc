import { expect, test } from 'vitest';
import { readApiSwitches } from '../../../src/app/server/api-switches.ts';
import { bareConfig } from '../../harness/start-kadmit.ts';

/** What a server of the release serves with all APIs open. */
async function served(emulated: string | undefined, path: string): Promise<boolean> {
  const [group = '', version = '', resource = '', subresource = ''] = path.split('/');
  const { isServed } = await readApiSwitches({
    ...bareConfig,
    emulatedVersion: emulated === undefined ? [] : [emulated],
    kubernetesVersion: '1.33',
    runtimeConfig: ['api/all=true'],
  });
  return isServed({ group, version, resource, subresource });
}

// Source: kubernetes test/integration/etcd/data.go GetEtcdStorageDataServedAt('1.33', true), pkg/registry/*/rest.
test.each([
  ['admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies', true],
  ['admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies/status', true],
  ['admissionregistration.k8s.io/v1beta1/validatingadmissionpolicybindings', true],
  ['admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicies', true],
  ['resource.k8s.io/v1alpha3/devicetaintrules', true],
  ['resource.k8s.io/v1alpha3/resourceclaims', false],
  ['resource.k8s.io/v1alpha3/resourceclaims/status', false],
  ['storage.k8s.io/v1alpha1/volumeattributesclasses', false],
  ['storagemigration.k8s.io/v1alpha1/storageversionmigrations', false],
])('%s: served by 1.36 that emulates 1.33: %s', async (path, isServed) => {
  expect(await served('1.33', path)).toBe(isServed);
});

test('1.33 serves APIs that 1.36 has removed', async () => {
  expect(await served(undefined, 'resource.k8s.io/v1alpha3/resourceclaims')).toBe(true);
});
