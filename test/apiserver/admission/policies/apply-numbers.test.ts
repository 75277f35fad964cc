import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { mutatingPolicy } from '../../../harness/policies.ts';
import { createTestWorld } from '../../../harness/world.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const rules = [{ operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }];
const podFields = 'template: Object.spec.template{spec: Object.spec.template.spec{priority: 3000000000}}';
const surge = 'strategy: Object.spec.strategy{rollingUpdate: Object.spec.strategy.rollingUpdate{maxSurge: 3000000000}}';

// Source: answers of kube-apiserver v1.36.2; apimachinery pkg/runtime/converter.go fromUnstructured.
test.each<readonly [fields: string, answer: string | JsonObject]>([
  [
    'replicas: 3000000000',
    'Deployment.apps "d" is invalid: spec.replicas: Invalid value: -1294967296: must be greater than or equal to 0',
  ],
  ['replicas: -3000000000', { replicas: 1294967296 }],
  ['replicas: 2147483647', { replicas: 2147483647 }],
  [
    'replicas: object.spec.replicas * 2000000000',
    'Deployment.apps "d" is invalid: spec.replicas: Invalid value: -294967296: must be greater than or equal to 0',
  ],
  [podFields, { template: { spec: { priority: -1294967296 } } }],
  ['replicas: 1.5', 'cannot convert float64 to int32'],
  [surge, 'json: cannot unmarshal number 3000000000 into Go value of type int32'],
])('an apply configuration of %s', async (fields, answer) => {
  const world = await createTestWorld();
  const spec = { matchConstraints: { resourceRules: rules } };
  await mutatingPolicy(world, 'p', [`Object{spec: Object.spec{${fields}}}`], spec);
  const { message, body } = await world.send('POST', deployments, {
    metadata: { name: 'd' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const reported = message.replace(/^.*, Kind=Deployment: /, '');
  expect({ reported, body }).toMatchObject(
    typeof answer === 'string' ? { reported: answer } : { body: { spec: answer } },
  );
});
