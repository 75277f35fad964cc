import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import { parseFieldSelector } from '../../../src/apiserver/request/list-options.ts';

const object = (kind: string, more: object = {}): KubernetesObject => ({
  kind,
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'ns' },
  ...more,
});
const pod = object('Pod', {
  spec: { nodeName: 'n1', restartPolicy: 'Always' },
  status: { phase: 'Running', podIPs: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }] },
});
const event = object('Event', { involvedObject: { name: 'x' }, source: { component: 'kubelet' }, reason: 'Why' });

// Source: spec/kubectl.md section 10; apimachinery pkg/fields/selector.go.
test.each<readonly [selector: string, resource: string, object: KubernetesObject, matches: boolean]>([
  ['', 'pods', pod, true],
  ['metadata.name=a', 'pods', pod, true],
  ['metadata.name==a', 'pods', pod, true],
  ['metadata.name!=a', 'pods', pod, false],
  ['metadata.name=a,metadata.namespace=other', 'pods', pod, false],
  ['spec.nodeName=n1,status.phase=Running', 'pods', pod, true],
  ['spec.nodeName=', 'pods', object('Pod'), true],
  ['spec.nodeName!=', 'pods', pod, true],
  ['spec.hostNetwork=false', 'pods', pod, true],
  ['spec.hostNetwork=true', 'pods', object('Pod', { spec: { hostNetwork: true } }), true],
  ['status.podIPs=10.0.0.1\\,fd00::1', 'pods', pod, true],
  ['spec.unschedulable=false', 'nodes', object('Node'), true],
  ['status.successful=0', 'jobs.batch', object('Job'), true],
  ['status.successful=2', 'jobs.batch', object('Job', { status: { succeeded: 2 } }), true],
  ['involvedObject.name=x,source=kubelet', 'events', event, true],
  ['type=Opaque', 'secrets', object('Secret', { type: 'Opaque' }), true],
  ['metadata.name=a\\=b', 'pods', pod, false],
])('%j of %s', (selector, resource, candidate, matches) => {
  const [plural = '', ...group] = resource.split('.');
  const parsed = parseFieldSelector(selector, { group: group.join('.'), resource: plural });
  expect(parsed.outcome === 'parsed' && parsed.unsupported === undefined && parsed.matches(candidate)).toBe(matches);
});

test.each([
  ['spec.zzz=a', 'pods', 'field label not supported: spec.zzz'],
  ['metadata.name =a', 'pods', 'field label not supported: metadata.name '],
  ['data.a=b', 'configmaps', '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ['__proto__=a', 'pods', 'field label not supported: __proto__'],
  ['constructor.name=Object', 'services', 'field label not supported: constructor.name'],
])('%j is none that %s select by', (selector, resource, unsupported) => {
  expect(parseFieldSelector(selector, { group: '', resource })).toMatchObject({ outcome: 'parsed', unsupported });
});

test.each([
  ['a', "invalid selector: 'a'; can't understand 'a'"],
  ['b,a', "invalid selector: 'b,a'; can't understand 'a'"],
  ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
  ['metadata.name=a\\x', 'invalid field selector: invalid escape sequence: \\x'],
  ['metadata.name=a\\', 'invalid field selector: invalid escape sequence: \\'],
  ['metadata.name=a,b', "invalid selector: 'metadata.name=a,b'; can't understand 'b'"],
])('%j cannot be read', (selector, error) => {
  expect(parseFieldSelector(selector, { group: '', resource: 'pods' })).toEqual({ outcome: 'unparsable', error });
});
