import { expect, test } from 'vitest';
import { taintNodesByCondition } from '../../../../src/apiserver/admission/plugins/taint-nodes-by-condition.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const other = { key: 'a', effect: 'NoSchedule' };
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const evicting = { ...notReady, effect: 'NoExecute' };

// Source: kubernetes plugin/pkg/admission/nodetaint/admission_test.go
test.each([
  ['is tainted', [other], [other, notReady]],
  ['keeps the taint', [notReady], [notReady]],
  ['is tainted beside the taint with another effect', [evicting], [evicting, notReady]],
])('a new Node %s', (_fact, taints, expected) => {
  const request = creating(object('v1', 'Node', 'n', { spec: { taints } }), 'nodes', { namespace: '' });
  const path = ['spec', 'taints'];
  expect(outcomeOf(taintNodesByCondition, 'mutate', { request, cluster: clusterOf({}), path })).toEqual(expected);
});
