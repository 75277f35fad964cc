import { expect, test } from 'vitest';
import { fieldErrorText } from '../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../src/machinery/meta/object.ts';
import { issueCertificate } from '../../src/adapters/certificates/issue-certificate.ts';
import { kindValidations } from '../../src/api/validation/kinds.ts';

const errorsOf = (resource: string, spec: JsonObject, name = 'x'): readonly string[] => {
  const object: KubernetesObject = { kind: 'K', apiVersion: 'g/v1', metadata: { name }, spec };
  return (kindValidations[resource]?.validate?.(object) ?? []).map(fieldErrorText);
};

const candidate = {
  leaseName: 'l',
  binaryVersion: '1.36.2',
  emulationVersion: '1.35.0',
  strategy: 'OldestEmulationVersion',
};
const basic = { schedulingPolicy: { basic: {} } };

// Source: kubernetes pkg/apis/{coordination,storagemigration,resource}/validation, k8s.io/api scheduling/v1alpha2/types.go
test.each<[resource: string, spec: JsonObject, errors: readonly string[]]>([
  ['coordination.k8s.io/leasecandidates', candidate, []],
  [
    'coordination.k8s.io/leasecandidates',
    { ...candidate, binaryVersion: 'v1' },
    ['spec.binaryVersion: Invalid value: "v1": must be a valid semantic version'],
  ],
  [
    'coordination.k8s.io/leasecandidates',
    { ...candidate, emulationVersion: '' },
    ["spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'"],
  ],
  [
    'storagemigration.k8s.io/storageversionmigrations',
    { resource: {} },
    ['spec.resource.resource: Required value: resource is required to be set'],
  ],
  ['storagemigration.k8s.io/storageversionmigrations', { resource: { group: 'apps', resource: 'deployments' } }, []],
  ['resource.k8s.io/devicetaintrules', { taint: { key: 'a/b', effect: 'NoExecute' } }, []],
  [
    'resource.k8s.io/devicetaintrules',
    { taint: { key: 'a/b', effect: 'Maybe' } },
    ['spec.taint.effect: Unsupported value: "Maybe": supported values: "NoExecute", "NoSchedule", "None"'],
  ],
  ['scheduling.k8s.io/podgroups', basic, []],
  [
    'scheduling.k8s.io/podgroups',
    {},
    ['spec.schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`'],
  ],
  [
    'scheduling.k8s.io/podgroups',
    { schedulingPolicy: { gang: { minCount: -1 } } },
    ['spec.schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1'],
  ],
  ['scheduling.k8s.io/workloads', { podGroupTemplates: [{ name: 't', ...basic }] }, []],
  ['scheduling.k8s.io/workloads', {}, ['spec.podGroupTemplates: Required value']],
])('%s with %j', (resource, spec, errors) => {
  expect(errorsOf(resource, spec)).toEqual(errors);
});

const bundles = 'certificates.k8s.io/clustertrustbundles';
const now = new Date('2026-01-01');

// Source: kubernetes pkg/apis/certificates/validation validateTrustBundle
test('a trust bundle holds certificates of authorities, each once', async () => {
  const { certificate } = await issueCertificate({
    commonName: 'c',
    purpose: 'client',
    organizations: [],
    notBefore: now,
    notAfter: new Date('2027-01-01'),
  });
  const bundle = (trustBundle: string): readonly string[] => errorsOf(bundles, { trustBundle });
  const fault = 'spec.trustBundle: Invalid value: "<value omitted>":';
  expect(bundle(certificate)).toEqual([`${fault} entry 0 does not have the CA bit set`]);
  expect(bundle('nothing')).toEqual([`${fault} at least one trust anchor must be provided`]);
  expect(bundle(certificate.replaceAll('CERTIFICATE', 'KEY'))).toEqual([`${fault} entry 0 has bad block type: KEY`]);
  expect(bundle('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')).toEqual([
    `${fault} entry 0 does not parse as X.509`,
  ]);
});

test('the name of a trust bundle begins with its signer', () => {
  const [first] = errorsOf(bundles, { signerName: 'a.b/c', trustBundle: '' }, 'x');
  expect(first).toBe(
    'metadata.name: Invalid value: "x": ClusterTrustBundle for signerName a.b/c must be named with prefix a.b:c:',
  );
  expect(errorsOf(bundles, { signerName: 'a.b/c' }, 'a.b:c:x').filter((text) => text.startsWith('metadata'))).toEqual(
    [],
  );
});
