import { expect, test } from 'vitest';
import { typeMetaOf } from '../../../src/apiserver/request/decode-as.ts';

const endpoint = { group: 'apps', version: 'v1', kind: 'Deployment' };

// Source: apimachinery pkg/apis/meta/v1/meta.go and pkg/runtime/serializer/json/json.go gvkWithDefaults.
test.each([
  [{ apiVersion: 'v1', kind: 'Pod' }, 'v1 Pod'],
  [{}, 'apps/v1 Deployment'],
  [{ apiVersion: '', kind: '' }, 'apps/v1 Deployment'],
  [{ kind: 'Pod' }, 'apps/v1 Pod'],
  [{ apiVersion: 'v1' }, 'v1 Deployment'],
  [[], 'apps/v1 Deployment'],
])('%j is taken for %s', (document, type) => {
  const { apiVersion, kind } = typeMetaOf(document, endpoint);
  expect(`${apiVersion} ${kind}`).toBe(type);
});
