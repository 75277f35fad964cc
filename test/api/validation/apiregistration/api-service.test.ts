import { expect, test } from 'vitest';
import { fieldErrorText } from '../../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import {
  validateApiService,
  validateApiServiceUpdate,
} from '../../../../src/api/validation/apiregistration/api-service.ts';

const local = { group: 'a.io', version: 'v1', groupPriorityMinimum: 20_000, versionPriority: 1000 };
const remote = { ...local, service: { namespace: 'n', name: 's', port: 443 } };

const service = (spec: JsonObject, name: string, status: JsonObject = {}) => ({
  kind: 'APIService',
  apiVersion: 'apiregistration.k8s.io/v1',
  metadata: { name },
  spec,
  status,
});

// Source: kube-aggregator pkg/apis/apiregistration/validation/validation.go
test.each<[sentence: string, spec: JsonObject, errors: readonly string[], name?: string]>([
  ['a local one', local, []],
  ['a remote one', remote, []],
  ['the core group', { ...local, group: '' }, [], 'v1.'],
  [
    'another name',
    local,
    ['metadata.name: Invalid value: "v1.b.io": must be `spec.version+"."+spec.group`: "v1.a.io"'],
    'v1.b.io',
  ],
  [
    'a name that is no part of a path',
    { ...local, group: 'a/b' },
    [
      `metadata.name: Invalid value: "v1.a/b": may not contain '/'`,
      `spec.group: Invalid value: "a/b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    'v1.a/b',
  ],
  [
    'v2 of no group',
    { ...local, group: '', version: 'v2' },
    ['spec.group: Required value: only v1 may have an empty group and it better be legacy kube'],
    'v2.',
  ],
  [
    'priorities out of bounds',
    { ...local, groupPriorityMinimum: 20_001, versionPriority: 0 },
    [
      'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
      'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
    ],
  ],
  [
    'a local one with what only remote ones need',
    { ...local, caBundle: 'YWJj', insecureSkipTLSVerify: true },
    [
      'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ],
  ],
  [
    'a service without a name',
    { ...remote, service: { port: 0 } },
    [
      'spec.service.namespace: Required value',
      'spec.service.name: Required value',
      'spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    'a CA that is not asked',
    { ...remote, caBundle: 'YWJj', insecureSkipTLSVerify: true },
    ['spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'],
  ],
])('%s', (_sentence, spec, errors, name = 'v1.a.io') => {
  expect(validateApiService(service(spec, name)).map(fieldErrorText)).toEqual(errors);
});

test('of a status, only what its conditions say is judged', () => {
  const status = { conditions: [{ status: 'True' }, { status: 'Maybe' }] };
  const changed = service({ ...local, versionPriority: 0 }, 'v1.a.io', status);
  expect(validateApiServiceUpdate(changed, changed, 'status').map(fieldErrorText)).toEqual([
    'status.conditions[1].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
  ]);
});
