import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import { createPodNodeSelector } from '../../../../src/apiserver/admission/plugins/pod-node-selector.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import type { ClusterView } from '../../../../src/machinery/meta/cluster-view.ts';
import { withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creatingPod, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const free = createPodNodeSelector(new Map());
const listing = createPodNodeSelector(new Map([['ns', 'a=1,b=2,c=3']]));
const defaulting = createPodNodeSelector(new Map([['clusterDefaultNodeSelector', 'a=1']]));
const conflicting = 'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector';
const notListed = 'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist';

const namespace = (selector: string | undefined) =>
  withMetadata(object('v1', 'Namespace', 'ns'), {
    annotations: selector === undefined ? {} : { 'scheduler.alpha.kubernetes.io/node-selector': selector },
  });

const selected = (plugin: typeof free, request: AdmissionAttributes, cluster: ClusterView) =>
  outcomeOf(plugin, 'mutate', { request, cluster, path: ['spec', 'nodeSelector'] });

// Source: kubernetes plugin/pkg/admission/podnodeselector/admission_test.go
test.each<
  [plugin: typeof free, annotation: string | undefined, nodeSelector: JsonObject | undefined, expected: JsonValue]
>([
  [free, '', undefined, 'none'],
  [free, 'b=2,a=1', undefined, { a: '1', b: '2' }],
  [free, ' b = 2 ', { a: '1' }, { a: '1', b: '2' }],
  [free, 'a=1,b=2', { b: '2' }, { a: '1', b: '2' }],
  [free, 'a=1,b=2', { b: '3' }, conflicting],
  [free, 'a=1,b=2', { a: '3', b: '2' }, conflicting],
  [free, 'a=1,b,c,d=4', undefined, 'invalid selector: [b]'],
  [free, 'not a b c', undefined, 'invalid selector: [not a b c]'],
  [free, 'a=b=c', undefined, 'invalid selector: [a b c]'],
  [free, 'a b=c', undefined, expect.stringMatching(/^<nil>: Invalid value: "a b": name part must consist of/)],
  [free, 'a=-', undefined, expect.stringMatching(/^\[a\]: Invalid value: "-": a valid label must be an empty string/)],
  [listing, 'a=1', { b: '2' }, { a: '1', b: '2' }],
  [listing, 'a=1', { b: '3' }, notListed],
  [listing, 'a=1', { b: '2', x: '1' }, notListed],
  [listing, undefined, { x: '1' }, notListed],
  [defaulting, undefined, { b: '2' }, { a: '1', b: '2' }],
  [defaulting, 'b=2', undefined, { b: '2' }],
  [defaulting, undefined, { a: '2' }, conflicting],
])('%#: the annotation %j on the namespace of a Pod with selector %j', (plugin, annotation, nodeSelector, expected) => {
  const cluster = clusterOf({ namespaces: [namespace(annotation)] });
  expect(selected(plugin, creatingPod({ ...(nodeSelector && { nodeSelector }) }), cluster) ?? 'none').toEqual(expected);
});

test('writes the labels in the order of their keys', () => {
  const cluster = clusterOf({ namespaces: [namespace('b=2,a=1')] });
  expect(JSON.stringify(selected(free, creatingPod({}), cluster))).toBe('{"a":"1","b":"2"}');
});

test('a namespace named like a property of every object has the default of the cluster', () => {
  expect(selected(defaulting, creatingPod({}, { namespace: 'constructor' }), clusterOf({}))).toEqual({ a: '1' });
});
