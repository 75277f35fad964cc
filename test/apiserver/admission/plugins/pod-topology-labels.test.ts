import { expect, test } from 'vitest';
import { podTopologyLabels } from '../../../../src/apiserver/admission/plugins/pod-topology-labels.ts';
import type { AdmissionAttributes } from '../../../../src/apiserver/admission/chain/attributes.ts';
import { withMetadata } from '../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../harness/builtin-plugin.ts';

const zone = 'topology.kubernetes.io/zone';
const node = withMetadata(object('v1', 'Node', 'n'), { labels: { [zone]: 'z', other: 'x' } });
const cluster = clusterOf({ nodes: [node] });
const pod = (nodeName: string): AdmissionAttributes =>
  creating(object('v1', 'Pod', 'p', { spec: { nodeName } }), 'pods');
const binding = (kind: string): AdmissionAttributes =>
  creating(object('v1', 'Binding', 'p', { target: { kind, name: 'n' } }), 'pods', { subresource: 'binding' });

// Source: kubernetes plugin/pkg/admission/podtopologylabels/admission_test.go
const facts: readonly [fact: string, request: AdmissionAttributes, labels: unknown][] = [
  ['a pod that is born on a node carries its zone', pod('n'), { [zone]: 'z' }],
  [
    'whatever its own labels said',
    creating(
      withMetadata(object('v1', 'Pod', 'p', { spec: { nodeName: 'n' } }), { labels: { [zone]: 'mine' } }),
      'pods',
    ),
    { [zone]: 'z' },
  ],
  ['a node that is not known shows nothing', pod('m'), undefined],
  ['a binding to a node carries its zone', binding('Node'), { [zone]: 'z' }],
  ['a binding to something else does not', binding('Thing'), undefined],
];
test.each(facts)('%s', (_fact, request, labels) => {
  expect(outcomeOf(podTopologyLabels, 'mutate', { request, cluster, path: ['metadata', 'labels'] })).toEqual(labels);
});
