import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/machinery/json/json.ts';
import { validateScale } from '../../../../src/api/crd/instances/validate-instance.ts';
import { finalizerWarnings } from '../../../../src/api/crd/custom-type.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';

const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const wrong = (what: string, wanted: string): string => `.spec.replicas accessor error: ${what}, expected ${wanted}`;

// Source: statuses sent to kube-apiserver v1.36.2.
test('a status that is a text has no selector', () => {
  const found = validateScale({ status: 'text' }, { ...scale, labelSelectorPath: '.status.selector' });
  expect(found.map(({ field, value }) => [field, value])).toEqual([
    ['.status.replicas', '0'],
    ['.status.selector', '""'],
  ]);
});

// Source: apimachinery pkg/apis/meta/v1/unstructured/helpers.go NestedFieldNoCopy, beside v1.36.2.
test.each<readonly [spec: JsonValue, errors: readonly (readonly [value: string, detail: string])[]]>([
  [null, []],
  [{ replicas: 3 }, []],
  [3, [['0', wrong('3 is of the type int64', 'map[string]interface{}')]]],
  ['x', [['0', wrong('x is of the type string', 'map[string]interface{}')]]],
  [{ replicas: '3' }, [['0', wrong('3 is of the type string', 'int64')]]],
  [{ replicas: 9223372036854775807n }, [['9223372036854775807', 'should be less than or equal to 2147483647']]],
])('the scale of a spec %o has the errors %o', (spec, errors) => {
  const found = validateScale({ spec }, scale);
  expect(found.map(({ field, value, detail }) => [field, value, detail])).toEqual(
    errors.map(([value, detail]) => ['.spec.replicas', value, detail]),
  );
});

const withFinalizers = (...finalizers: string[]): KubernetesObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', finalizers },
});

/** Follows apiextensions-apiserver pkg/registry/customresource/validator.go validateKubeFinalizerName. */
const reason = 'to avoid accidental conflicts with other finalizer writers';
const plain = (name: string): string =>
  `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name ${reason}`;
const domain = (name: string): string =>
  `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name including a path (/) ${reason}`;

test.each([
  { added: ['tidy'], warnings: [plain('tidy')] },
  { added: ['tidy.example.com'], warnings: [domain('tidy.example.com')] },
  { added: ['b', 'a.io', 'b'], warnings: [domain('a.io'), plain('b')] },
  { added: ['example.com/tidy'], warnings: [] },
  { added: ['orphan', 'foregroundDeletion', 'kubernetes'], warnings: [] },
])('new finalizers $added', ({ added, warnings }) => {
  expect(finalizerWarnings(withFinalizers(...added))).toEqual(warnings);
});

test('those that were there before are passed over', () => {
  expect(finalizerWarnings(withFinalizers('old', 'new'), withFinalizers('old'))).toEqual([plain('new')]);
});
