import { expect, test } from 'vitest';
import { createScenarioFiles } from '../../../../src/testing/scenario/record/scenario-files.ts';

test('names that differ in case alone are different files on every file system', () => {
  const files = createScenarioFiles();
  const add = (name: string, value: string): string => files.add(name, [{ kind: 'A', metadata: { name: value } }]);
  expect([add('role-a', 'a'), add('role-A', 'A'), add('role-a', 'a'), add('Scenario', 's')]).toEqual([
    'role-a.yaml',
    'role-A-2.yaml',
    'role-a.yaml',
    'Scenario-2.yaml',
  ]);
  expect(files.all().map(([path]) => path)).toEqual(['role-a.yaml', 'role-A-2.yaml', 'Scenario-2.yaml']);
});
