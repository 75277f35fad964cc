import { expect, test } from 'vitest';
import { ownValue } from '../../../src/machinery/meta/object.ts';
import { updateTaints } from '../../../src/controllers/node-taints.ts';
import { withContainer } from '../../../src/testing/stubs/stub.ts';
import { validateMetricSpec } from '../../../src/api/validation/autoscaling/autoscaler-metrics.ts';
import { validateLimitRange } from '../../../src/api/validation/core/limit-range.ts';
import { validatePodResources } from '../../../src/api/validation/core/pod-resources.ts';
import { collectSecretsIn } from '../../../src/explain/trace/secret-values.ts';

/** What every object inherits, and what assigning to one would change. */
const inherited = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];

const node = (type: string, status: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  status: { conditions: [{ type, status }] },
});

// The names are what a client sends; none of these tables has them.
test.each(inherited)('%s is a name like any other', (name) => {
  expect(ownValue<number>({ a: 1 }, name)).toBeUndefined();
  expect(updateTaints(node(name, 'name'))).toBeUndefined();
  expect(updateTaints(node('Ready', name))).toBeUndefined();
  expect(withContainer({ kind: name, spec: { containers: [] } }, { name: 'c' }, 'containers')).toEqual({
    kind: name,
    spec: { containers: [] },
  });
  expect(collectSecretsIn({ kind: name, a: 'b' })).toBeUndefined();
  expect(validateMetricSpec({ type: name }, 'm').map(({ detail }) => detail)).toContain(
    'supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
  );
});

test.each(inherited)('limits of %s are compared with limits of that name only', (name) => {
  const amounts = Object.fromEntries([[name, '-1']]);
  const limits = { type: 'Container', min: amounts, max: { cpu: '1' }, default: {} };
  const range = { apiVersion: 'v1', kind: 'LimitRange', spec: { limits: [limits] } };
  expect(validateLimitRange(range).map(({ detail }) => detail)).not.toContainEqual(
    expect.stringContaining('is greater'),
  );
  const pod = { resources: { limits: { cpu: '1' } }, containers: [{ resources: { limits: amounts } }] };
  expect(validatePodResources(pod, 'spec')).toEqual([]);
});
