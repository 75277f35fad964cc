import { expect, test } from 'vitest';
import { parseApiVersion } from '../../../src/machinery/meta/gvk.ts';
import { asString } from '../../../src/machinery/json/json.ts';
import { withMetadata } from '../../../src/machinery/meta/object.ts';
import type { FieldError } from '../../../src/machinery/meta/field-error.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { readSamples } from '../../differ/samples.ts';
import { contextWith, create, decoded } from './write.ts';

const catalogue = recordedRelease.createCatalogue();
const wrong = { uid: 'x', finalizers: ['nodomain'], generateName: 'A%' };

const letterOf = ({ field, detail }: FieldError): string => {
  if (field === 'metadata.generateName') return detail.startsWith('may not contain') ? 'g' : 'n';
  return { 'metadata.uid': 'u', 'metadata.finalizers[0]': 'f' }[field] ?? '?';
};

/**
 * Which causes kube-apiserver v1.36.2 names, and in what order, when uid, finalizers and generateName of an object are patched to
 * something wrong: the last by the rule of all names (g) and by that of the kind (n).
 */
const reported: Readonly<Record<string, readonly string[]>> = {
  guuf: ['replicationcontrollers', 'services', 'deployments', 'statefulsets', 'cronjobs', 'networkpolicies'],
  guufnf: ['configmaps', 'endpoints', 'persistentvolumeclaims', 'ingresses', 'ingressclasses', 'serviceaccounts'],
  gunf: ['limitranges', 'csinodes', 'endpointslices', 'flowschemas', 'prioritylevelconfigurations'],
  gunfuf: ['namespaces', 'nodes', 'jobs', 'csistoragecapacities', 'resourceclaims', 'resourceclaimtemplates'],
  gufuf: ['certificatesigningrequests', 'deviceclasses', 'certificatesigningrequests/status'],
  gugfuf: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  gun: ['validatingadmissionpolicies', 'mutatingadmissionpolicybindings', 'mutatingwebhookconfigurations'],
  gu: ['poddisruptionbudgets', 'poddisruptionbudgets/status', 'cronjobs/status', 'validatingadmissionpolicies/status'],
  guu: ['leases', 'apiservices/status'],
  guug: ['apiservices'],
};
const rows = Object.entries(reported).flatMap(([letters, places]) => places.map((place) => [place, letters] as const));

const sampleOf = (resource: string) => {
  const sample = readSamples().find((one) => one.resource === resource);
  if (!sample) throw new Error(`no sample of ${resource}`);
  const { apiVersion, kind } = sample.object;
  const row = catalogue.forKind({ ...parseApiVersion(asString(apiVersion)), kind: asString(kind) });
  if (!row) throw new Error(`no resource for ${resource}`);
  return { object: sample.object, strategy: recordedRelease.strategyFor(row.storage) };
};

test.each(rows)('an update of %s shows metadata as %s', (place, letters) => {
  const [resource = '', subresource = ''] = place.split('/');
  const { object, strategy } = sampleOf(resource);
  const old = withMetadata(decoded(object), { uid: 'the-uid', resourceVersion: '1' });
  const errors = strategy.validateUpdate(withMetadata(old, wrong), old, subresource);
  expect(
    errors
      .filter(({ field }) => field.startsWith('metadata.'))
      .map(letterOf)
      .join(''),
  ).toBe(letters);
});

/** Recorded from kube-apiserver v1.36.2. */
test.each([
  ['replicationcontrollers', 'A=b', []],
  ['deviceclasses', 'A=b', []],
  ['poddisruptionbudgets', 'A=b', []],
  ['poddisruptionbudgets', '101%', [`Invalid value: "101%": may not contain '%'`]],
  ['apiservices', 'a', [`Invalid value: "a": must be \`spec.version+"."+spec.group\`: "v1.x.example.com"`]],
  ['statefulsets', 'A', [expect.stringContaining('a lowercase RFC 1123 label must consist of')]],
  ['configmaps', 'A', [expect.stringContaining('a lowercase RFC 1123 subdomain must consist of')]],
])('a new one of %s with generateName %s', (resource, generateName, texts) => {
  const { object } = sampleOf(resource);
  const made = create(withMetadata(decoded(object), { generateName }));
  const message = typeof made === 'string' ? made.split('metadata.generateName: ').slice(1) : [];
  expect(message).toEqual(texts);
});

test('the status of a flow schema changes nothing else', () => {
  const { object, strategy } = sampleOf('flowschemas');
  const old = withMetadata(decoded(object), { uid: 'the-uid', resourceVersion: '1' });
  const prepared = strategy.prepareForUpdate(withMetadata(old, wrong), old, 'status', contextWith());
  expect(prepared.ok && prepared.value.metadata?.uid).toBe('the-uid');
});
