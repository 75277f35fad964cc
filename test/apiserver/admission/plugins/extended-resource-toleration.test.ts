import { expect, test } from 'vitest';
import { extendedResourceToleration } from '../../../../src/apiserver/admission/plugins/extended-resource-toleration.ts';
import { clusterOf, creatingPod, outcomeOf } from '../../../harness/builtin-plugin.ts';

const containers = [{ resources: { requests: { 'example.com/gpu': '1', cpu: '1' } } }];
const toleration = { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' };

// Source: kubernetes plugin/pkg/admission/extendedresourcetoleration/admission_test.go
test.each([
  ['adds a toleration', []],
  ['replaces the same toleration with a time', [{ ...toleration, tolerationSeconds: 3 }]],
])('an extended resource %s', (_fact, tolerations) => {
  const request = creatingPod({ containers, tolerations });
  const path = ['spec', 'tolerations'];
  const outcome = outcomeOf(extendedResourceToleration, 'mutate', { request, cluster: clusterOf({}), path });
  expect(outcome).toEqual([toleration]);
});
