import { expect, test } from 'vitest';
import { requestVariable } from '../../../../src/apiserver/admission/matching/request-variable.ts';
import { configMap, creating } from '../../../harness/admission.ts';

// Source: spec rules CEL-2, CEL-3
test('the variable request has the matched kind, the requested resource, and no empty strings', () => {
  const request = creating(configMap(), { namespace: '', name: '' });
  expect(
    requestVariable(request, { kind: { group: '', version: 'v2', kind: 'ConfigMap' }, resource: request.resource }),
  ).toEqual({
    kind: { group: '', version: 'v2', kind: 'ConfigMap' },
    resource: { group: '', version: 'v1', resource: 'configmaps' },
    requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
    requestResource: { group: '', version: 'v1', resource: 'configmaps' },
    operation: 'CREATE',
    userInfo: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  });
});
