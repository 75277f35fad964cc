import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import { updateTaints } from '../../src/controllers/node-taints.ts';

const taint = (name: string, effect = 'NoSchedule'): JsonObject => ({ key: `node.kubernetes.io/${name}`, effect });
const ready = (status: string): JsonObject => ({ conditions: [{ type: 'Ready', status }] });

// Upstream: pkg/controller/nodelifecycle/node_lifecycle_controller_test.go.
test.each<readonly [string, JsonObject, JsonObject, readonly JsonObject[] | undefined]>([
  ['a node without conditions loses the taint', { taints: [taint('not-ready')] }, {}, []],
  ['a node that is not ready', {}, ready('False'), [taint('not-ready')]],
  ['a node of unknown readiness', { taints: [taint('not-ready')] }, ready('Unknown'), [taint('unreachable')]],
  ['a node that has the taint', { taints: [taint('not-ready')] }, ready('False'), undefined],
  ['an unschedulable node', { unschedulable: true }, ready('True'), [taint('unschedulable')]],
  ['taints of others stay', { taints: [{ key: 'mine', effect: 'NoSchedule' }] }, ready('True'), undefined],
  ['also with this effect', { taints: [taint('not-ready', 'NoExecute')] }, ready('True'), undefined],
])('%s', (_fact, spec, status, wanted) => {
  expect(updateTaints({ kind: 'Node', apiVersion: 'v1', metadata: { name: 'n' }, spec, status })).toEqual(wanted);
});
