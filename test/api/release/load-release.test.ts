import { expect, test } from 'vitest';
import { releaseNames } from '../../../src/machinery/meta/release-names.ts';
import { readRelease } from '../../../src/api/release/load-release.ts';
import type { Release } from '../../../src/api/release/release.ts';

async function releaseOf(text: string): Promise<Release> {
  const reading = readRelease(text);
  if (reading.outcome === 'unknown') throw new Error(reading.problem);
  return reading.load();
}

test.each([
  ['1.37', 'v1.37.2'],
  ['1.36', 'v1.36.2'],
  ['v1.36', 'v1.36.2'],
  ['1.36.2', 'v1.36.2'],
  ['1.36.0', 'v1.36.0'],
  ['1.35', 'v1.35.0'],
  ['1.34', 'v1.34.0'],
  ['1.33', 'v1.33.0'],
  ['v1.33.10', 'v1.33.10'],
])('%s is %s', async (text, version) => {
  expect((await releaseOf(text)).types.version).toBe(version);
});

test.each(['1.32', '1.38', '2.33', '', '1', 'latest', '1.33.x', '1.33.1.1', ' 1.33', '1.033'])(
  '%j is no release',
  (text) => {
    expect(readRelease(text)).toEqual({
      outcome: 'unknown',
      problem: 'is no release that kadmit knows: 1.33, 1.34, 1.35, 1.36, 1.37',
    });
  },
);

test('a release is made once', async () => {
  expect(await releaseOf('v1.33')).toBe(await releaseOf('1.33'));
  expect(await releaseOf('1.33.1')).not.toBe(await releaseOf('1.33'));
});

// api/discovery/aggregated_v2.json of each release.
test.each([
  ['1.37', 'certificates.k8s.io/v1', 'clustertrustbundles podcertificaterequests', ''],
  ['1.36', 'certificates.k8s.io/v1', 'certificatesigningrequests', 'clustertrustbundles podcertificaterequests'],
  ['1.37', 'storagemigration.k8s.io/v1', 'storageversionmigrations', ''],
  ['1.35', 'admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', 'mutatingadmissionpolicies'],
  ['1.36', 'admissionregistration.k8s.io/v1', 'validatingadmissionpolicies mutatingadmissionpolicies', ''],
  ['1.33', 'networking.k8s.io/v1', 'ingresses servicecidrs ipaddresses', ''],
  ['1.33', 'resource.k8s.io/v1', '', 'resourceclaims'],
  ['1.34', 'resource.k8s.io/v1', 'resourceclaims deviceclasses', ''],
  ['1.33', 'storage.k8s.io/v1', 'storageclasses', 'volumeattributesclasses'],
  ['1.34', 'storage.k8s.io/v1', 'volumeattributesclasses', ''],
])('of %s, %s serves %j and not %j', async (name, path, there, missing) => {
  const release = await releaseOf(name);
  const [group = '', version = ''] = path.split('/');
  const isThere = (resource: string): boolean =>
    release.createCatalogue().find({ group, version, resource }, '') !== undefined;
  expect(words(there).filter((resource) => !isThere(resource))).toEqual([]);
  expect(words(missing).filter(isThere)).toEqual([]);
});

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

// staging/src/k8s.io/api/core/v1/types.go of each release.
test.each([
  ['1.33', 'core.v1.Container', 'restartPolicyRules', false],
  ['1.34', 'core.v1.Container', 'restartPolicyRules', true],
  ['1.35', 'core.v1.PodSpec', 'workloadRef', true],
  ['1.36', 'core.v1.PodSpec', 'workloadRef', false],
  ['1.36', 'core.v1.PodSpec', 'schedulingGroup', true],
  ['1.36', 'core.v1.PodSpec', 'evictionResponders', false],
  ['1.37', 'core.v1.PodSpec', 'evictionResponders', true],
  // Inlined: `json:",inline"` in 1.36, `json:""` in 1.37.
  ['1.36', 'core.v1.EphemeralContainer', '', true],
  ['1.37', 'core.v1.EphemeralContainer', '', true],
])('of %s, %s.%s: %s', async (name, type, field, isThere) => {
  const info = (await releaseOf(name)).types.typeInfo(type);
  expect(info?.is === 'struct' && info.fields.some((one) => one.name === field)).toBe(isThere);
});

// zz_generated.prerelease-lifecycle.go and core/v1/lifecycle.go of k8s.io/api.
test.each([
  ['1.33', '/v1/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
  ['1.36', '/v1/componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
  [
    '1.33',
    'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies',
    'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy is deprecated in v1.31+, unavailable in v1.34+',
  ],
])('of %s, %s is warned of: %s', async (name, path, warning) => {
  const [group = '', version = '', resource = ''] = path.split('/');
  expect((await releaseOf(name)).deprecationOf({ group, version, resource })).toBe(warning);
});

// pkg/features/kube_features.go of each release.
test.each([
  ['1.34', 'MutatingAdmissionPolicy', false],
  ['1.33', 'SidecarContainers', true],
  ['1.36', 'MutatingAdmissionPolicy', true],
  ['1.36', 'MaxUnavailableStatefulSet', false],
  ['1.37', 'MaxUnavailableStatefulSet', true],
])('of %s, %s is on by default: %s', async (name, gate, isOn) => {
  const reading = (await releaseOf(name)).readFeatureGates([]);
  expect(reading.outcome === 'read' && reading.gates.isOn(gate)).toBe(isOn);
});

test('a gate that a release does not have is not recognized', async () => {
  const reading = (await releaseOf('1.33')).readFeatureGates(['GenericWorkload=true']);
  expect(reading).toEqual({ outcome: 'wrong', error: 'unrecognized feature gate: GenericWorkload' });
});

test.each(releaseNames)('of %s, every resource has a type, and every type what it is made of', async (name) => {
  const { types, createCatalogue } = await releaseOf(name);
  const kinds = createCatalogue(() => true)
    .all()
    .map(({ kind }) => kind);
  expect(kinds.filter((kind) => types.typeOfKind(kind) === undefined)).toEqual([]);
  expect([...types.kinds.values()].filter((type) => types.typeInfo(type) === undefined)).toEqual([]);
});
