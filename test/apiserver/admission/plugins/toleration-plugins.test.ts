import { expect, test } from 'vitest';
import {
  createDefaultTolerationSeconds,
  extendedResourceToleration,
} from '../../../../src/apiserver/admission/plugins/toleration-plugins.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import { clusterOf, creating, object, outcomeOf, creatingPod } from '../../../harness/builtin-plugin.ts';

const plugin = createDefaultTolerationSeconds({ notReady: 300, unreachable: 300 });

const lost = (name: string): JsonObject => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});

// Source: kubernetes plugin/pkg/admission/defaulttolerationseconds/admission_test.go
const facts: readonly [fact: string, tolerations: readonly JsonObject[], added: readonly JsonObject[]][] = [
  ['a pod tolerates lost nodes for five minutes', [], [lost('not-ready'), lost('unreachable')]],
  ['other tolerations do not count', [{ key: 'k' }], [lost('not-ready'), lost('unreachable')]],
  [
    'one that is said stays',
    [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }],
    [lost('unreachable')],
  ],
  [
    'one for another effect does not count',
    [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }],
    [lost('not-ready'), lost('unreachable')],
  ],
  ['one without a key is for both', [{ operator: 'Exists' }], []],
];
test.each(facts)('%s', (_fact, tolerations, added) => {
  const request = creating(object('v1', 'Pod', 'p', { spec: { tolerations } }), 'pods');
  const path = ['spec', 'tolerations'];
  expect(outcomeOf(plugin, 'mutate', { request, cluster: clusterOf({}), path })).toEqual([...tolerations, ...added]);
});

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
