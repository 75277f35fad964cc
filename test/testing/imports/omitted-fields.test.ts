import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { omittedFields, wantedField } from '../../../src/testing/imports/admission-request.ts';

test('what is empty and not stored is omitted', () => {
  const sent = { spec: { hostNetwork: false, hostUsers: false, replicas: 0, containers: [{ name: 'c', tty: false }] } };
  const stored = { spec: { hostUsers: false, containers: [{ name: 'c' }] } };
  expect(omittedFields(sent, stored)).toEqual(['spec.hostNetwork', 'spec.replicas', 'spec.containers.tty']);
});

// Source: gatekeeper-library, host-network-ports 1.1.1 and its later version.
test.each<[expression: string, field: string | undefined]>([
  ['(has(variables.anyObject.spec.hostNetwork) && !variables.anyObject.spec.hostNetwork) || false', 'spec.hostNetwork'],
  ['!has(object.spec.hostNetwork) || !object.spec.hostNetwork', undefined],
  ['has(object.spec.hostNetwork) ? !object.spec.hostNetwork : true', undefined],
  ['has(object.spec.hostPID) && !object.spec.hostPID', undefined],
  ['has(', undefined],
])('%s wants %s', (expression, field) => {
  const policy: JsonObject = { spec: { validations: [{ expression }] } };
  expect(wantedField(['spec.hostNetwork'], [policy])).toBe(field);
});
