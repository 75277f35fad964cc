import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/adapters/telemetry/metrics.ts';
import { mutatingPolicy, validatingPolicy } from '../../harness/policies.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';

// Source: apiserver pkg/admission/plugin/policy/validating/metrics/metrics.go, mutating/metrics/metrics.go
test.each<[fact: string, arrange: (world: TestWorld) => Promise<void>, lines: readonly string[]]>([
  ['what holds is not counted', (world) => validatingPolicy(world, 'p', { validations: [{ expression: 'true' }] }), []],
  [
    'each action of a failed validation is',
    (world) =>
      validatingPolicy(
        world,
        'p',
        { validations: [{ expression: 'false' }] },
        { validationActions: ['Warn', 'Audit'] },
      ),
    [
      'validating_admission_policy_check_total{enforcement_action="audit",error_type="invalid_error",policy="p",policy_binding="p-binding"} 1',
      'validating_admission_policy_check_total{enforcement_action="warn",error_type="invalid_error",policy="p",policy_binding="p-binding"} 1',
    ],
  ],
  [
    'an error that is ignored allows',
    (world) =>
      validatingPolicy(world, 'p', { failurePolicy: 'Ignore', validations: [{ expression: 'object.no == 1' }] }),
    [
      'validating_admission_policy_check_total{enforcement_action="allow",error_type="invalid_error",policy="p",policy_binding="p-binding"} 1',
    ],
  ],
  [
    'each mutation',
    (world) => mutatingPolicy(world, 'p', ['Object{}', 'Object{data: {"a": object.no}}'], { failurePolicy: 'Ignore' }),
    [
      'mutating_admission_policy_check_total{error_type="invalid_error",policy="p",policy_binding="p-binding"} 1',
      'mutating_admission_policy_check_total{error_type="no_error",policy="p",policy_binding="p-binding"} 1',
    ],
  ],
])('%s', async (_fact, arrange, lines) => {
  const world = await createTestWorld();
  await arrange(world);
  const metrics = createMetrics(world.clock.now);
  await world.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  world.finished.slice(-1).forEach(metrics.record);
  const body = await metrics.registry.metrics();
  const found = body.split('\n').filter((line) => /^apiserver_\w+_admission_policy_check_total/.test(line));
  expect(found.toSorted()).toEqual(lines.map((line) => `apiserver_${line}`));
});
