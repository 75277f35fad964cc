import { describe, expect, test } from 'vitest';
import { internalForm } from '../../../src/api/types/internal-form.ts';

// kube-apiserver v1.36.2 prints these in `Invalid value: {…}: field is immutable`.
describe('a value as Go prints it in a field error', () => {
  test.each([
    ['every field of a struct', 'core.SecretReference', { name: 'n' }, { Name: 'n', Namespace: '' }],
    ['what is absent and may be nil', '*core.SecretReference', undefined, null],
    [
      'a nested list',
      'resource.DeviceClaim',
      { requests: [], config: [{ requests: ['r'] }] },
      { Requests: [], Constraints: null, Config: [{ Requests: ['r'], Opaque: null }] },
    ],
  ])('%s', (_what, type, value, printed) => {
    expect(internalForm(type, value)).toEqual(printed);
  });

  test('embedded metadata keeps its JSON names, a pod has its host fields in the security context', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { hostNetwork: true, containers: [] } };
    expect(internalForm('core.PodTemplateSpec', template)).toMatchObject({
      labels: { a: 'b' },
      Spec: { Containers: [], SecurityContext: { HostNetwork: true, HostPID: false, RunAsUser: null } },
    });
  });
});
