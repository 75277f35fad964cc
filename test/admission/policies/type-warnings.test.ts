import { expect, test } from 'vitest';
import { typeWarnings } from '../../../src/admission/policies/type-warnings.ts';
import { currentRelease } from '../../../src/schema/release/current-release.ts';
import { inManyTurns } from '../../harness/turns.ts';

// What is said of the kinds is told in test/controllers/policy-status.test.ts.
test('others are let in while thousands of rules that name nothing are gone through', () => {
  const resourceRules = Array.from({ length: 3_000 }, (_none, at) => ({
    operations: ['CREATE'],
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: [`nothing${at}`],
  }));
  const last = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] };
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules: [...resourceRules, last] },
      validations: [{ expression: 'true' }],
    },
  };
  const asked: string[] = [];
  const checkTypes = (expression: string) => {
    asked.push(expression);
    return { issues: 'wrong', type: undefined };
  };
  const catalogue = currentRelease.createCatalogue();
  const { turns, value } = inManyTurns(typeWarnings(policy, { catalogue, checkTypes }));
  expect(value).toEqual([{ fieldRef: 'spec.validations[0].expression', warning: 'apps/v1, Kind=Deployment: wrong\n' }]);
  expect(asked).toEqual(['true']);
  expect(turns).toBeGreaterThan(25);
});
