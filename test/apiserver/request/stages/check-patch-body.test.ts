import { expect, test } from 'vitest';
import { loadRelease } from '../../../../src/api/release/load-release.ts';
import { createTestWorld } from '../../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const worlds = {
  '1.36': await createTestWorld({ release: await loadRelease('1.36') }),
  '1.37': await createTestWorld({ release: await loadRelease('1.37') }),
};

const [json, merge, strategic, apply] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const notFound = 'configmaps "none" not found';
const list =
  'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}';
const twice = 'error converting YAML to JSON: yaml: unmarshal errors:\n  line 2: key "kind" already set in map';

// Source: recorded conversations crud-patch-errors, crd-cr-apply-yaml-body, r37-patch-wrong-shape,
// r37-apply-strict-duplicate of v1.36.2 and v1.37.2; the object does not exist.
test.each<[type: string, body: string, in36: string, in37: string]>([
  [json, '{bad', notFound, 'invalid JSON patch'],
  [merge, '', notFound, 'invalid JSON patch'],
  [strategic, '{} {}', notFound, 'invalid JSON patch'],
  [merge, '[]', notFound, notFound],
  [
    apply,
    'a: [',
    'error decoding YAML: error converting YAML to JSON: yaml: line 1: did not find expected node content',
    'error encoding patch: yaml: line 1: did not find expected node content',
  ],
  [apply, '[]', `error decoding YAML: ${list}`, `error decoding patch: ${list}`],
  [
    apply,
    'kind: ConfigMap\nkind: ConfigMap\napiVersion: v1',
    `error strict decoding YAML: ${twice}`,
    `error strict decoding patch: ${twice}`,
  ],
])('%s: %s', async (contentType, body, in36, in37) => {
  const path = `${configMaps}/none?fieldValidation=Strict${contentType === apply ? '&fieldManager=m' : ''}`;
  expect((await worlds['1.36'].send('PATCH', path, body, { contentType })).message).toBe(in36);
  expect((await worlds['1.37'].send('PATCH', path, body, { contentType })).message).toBe(in37);
});
