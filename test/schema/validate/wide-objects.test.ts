import { expect, test } from 'vitest';
import { inTurns } from '../../../src/apimachinery/in-turns.ts';
import { runtimeClassWarnings, storageCapacityWarnings } from '../../../src/schema/strategy/deprecation-warnings.ts';
import { limitRange, secret } from '../../../src/schema/defaults/core.ts';
import { internalForm } from '../../../src/schema/types/internal-form.ts';
import { validateAffinity } from '../../../src/schema/validate/affinity.ts';
import { withEntry } from '../../../src/schema/strategy/with-entry.ts';
import { parameterErrors } from '../../../src/schema/validate/csi.ts';
import { validateFlowSchema } from '../../../src/schema/validate/flow-control.ts';
import { validateNode } from '../../../src/schema/validate/nodes.ts';
import { validateClaimUpdate } from '../../../src/schema/validate/persistent-volume-claim.ts';
import { validatePodResources } from '../../../src/schema/validate/pod-resources.ts';
import { addressErrors } from '../../../src/schema/validate/pod-status.ts';
import { podWarnings } from '../../../src/schema/validate/pod-warnings.ts';
import { validateResourceQuotaUpdate } from '../../../src/schema/validate/quota.ts';
import { validateResourceSlice } from '../../../src/schema/validate/resource-slices.ts';
import { seccompProfileErrors } from '../../../src/schema/validate/seccomp-annotations.ts';
import { validateVolume } from '../../../src/schema/validate/storage.ts';
import { validateReplicationController } from '../../../src/schema/validate/workloads.ts';
import { alwaysLate } from '../../harness/turns.ts';

// Maps of resources, labels and addresses are gone through in turns.

const wide = (count: number, value = '-1'): { [name: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_none, at) => [`n${at}`, value]));
const head = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { name: 'n', resourceVersion: '1' } });
const many = 300;
const amounts = wide(many);
const claim = { ...head('PersistentVolumeClaim'), spec: { accessModes: ['ReadWriteOnce'] } };
const containers = [{ name: 'c', image: 'i', resources: { limits: wide(many, '2') } }];
const podIPs = Object.keys(amounts).map((name) => ({ ip: name }));
const keys = Array.from({ length: many }, (_none, at) => `n${at % 150}`);
const term = {
  topologyKey: 'a',
  matchLabelKeys: ['n1'],
  labelSelector: { matchExpressions: keys.map((key) => ({ key, operator: 'Exists' })) },
};
const strings = Object.fromEntries(keys.map((key) => [key, { string: 'a'.repeat(65) }]));

const objects: Readonly<Record<string, readonly [least: number, work: () => readonly unknown[]]>> = {
  'what a node has and gives': [
    2 * many,
    () => validateNode({ ...head('Node'), status: { capacity: amounts, allocatable: amounts } }),
  ],
  'the capacity of a volume': [
    many,
    () => validateVolume({ ...head('PersistentVolume'), spec: { capacity: amounts } }),
  ],
  'what a claim has got': [
    4 * many,
    () =>
      validateClaimUpdate(
        { ...claim, status: { capacity: amounts, allocatedResources: amounts, allocatedResourceStatuses: amounts } },
        claim,
        'status',
      ),
  ],
  'resources of a Pod': [
    3 * many,
    () =>
      validatePodResources({ containers, resources: { limits: wide(many, '1'), requests: wide(many, '1') } }, 'spec'),
  ],
  'addresses of a Pod': [many, () => addressErrors({ podIPs }, {})],
  'labels of the nodes for a Pod': [
    many,
    () => podWarnings({ ...head('Pod'), spec: { containers: [], nodeSelector: amounts } }),
  ],
  'labels of the nodes for a class': [
    many,
    () => runtimeClassWarnings({ ...head('RuntimeClass'), handler: 'h', scheduling: { nodeSelector: amounts } }),
  ],
  'labels of the nodes of a capacity': [
    many,
    () =>
      storageCapacityWarnings({
        ...head('CSIStorageCapacity'),
        storageClassName: 's',
        nodeTopology: { matchLabels: amounts },
      }),
  ],
  'texts of a Secret beside its data': [
    many,
    () => [secret({ ...head('Secret'), data: wide(many, 'YQ=='), stringData: { n1: 'b', z: 'c' } })],
  ],
  'annotations for seccomp': [many, () => seccompProfileErrors(amounts, 'metadata.annotations')],
  'labels whose values a Pod brings itself': [
    many,
    () => validateAffinity({ podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }, ''),
  ],
  'namespaces of a rule about what flows': [
    many,
    () =>
      validateFlowSchema({
        ...head('FlowSchema'),
        spec: { priorityLevelConfiguration: { name: 'l' }, rules: [{ resourceRules: [{ namespaces: keys }] }] },
      }),
  ],
  'the selector of a ReplicationController': [
    5 * many,
    () =>
      validateReplicationController({
        ...head('ReplicationController'),
        spec: { selector: wide(many, 'a'), template: { metadata: { labels: wide(many - 1, 'a') } } },
      }),
  ],
  'attributes of a device': [
    many,
    () => validateResourceSlice({ ...head('ResourceSlice'), spec: { devices: [{ name: 'd', attributes: strings }] } }),
  ],
  'limits that follow from others': [
    3 * many,
    () => [
      limitRange({
        ...head('LimitRange'),
        spec: { limits: [{ type: 'Container', max: amounts, default: { y: '1' }, min: { z: '1' } }] },
      }),
    ],
  ],
  'a map as Go prints it': [many, () => [internalForm('map string', amounts)]],
  'labels to which one is added': [many, () => [withEntry(amounts, 'a', 'b')]],
};

test.each(Object.entries(objects))('%s', (_what, [least, work]) => {
  const late = alwaysLate();
  expect(inTurns(work, late)).toEqual(work());
  expect(late.asked()).toBeGreaterThan(0.9 * least);
});

test('limits that follow from others come before those that were said, labels in their order', () => {
  const limits = [{ type: 'Container', default: { m: '2' }, max: { z: '1', a: '1' } }];
  const made = limitRange({ ...head('LimitRange'), spec: { limits } }).spec?.limits?.[0];
  expect(JSON.stringify([made?.default, made?.defaultRequest])).toBe(
    '[{"z":"1","a":"1","m":"2"},{"z":"1","a":"1","m":"2"}]',
  );
  expect(JSON.stringify([withEntry({ c: '1', a: '1' }, 'b', '2'), withEntry({ b: '1', a: '1' }, 'b', '2')])).toBe(
    '[{"a":"1","b":"2","c":"1"},{"a":"1","b":"2"}]',
  );
});

test('of what a quota counts mistakes are told until nobody would hear them any more', () => {
  const quota = { ...head('ResourceQuota'), spec: {} };
  const told = validateResourceQuotaUpdate({ ...quota, status: { hard: wide(20_000) } }, quota, 'status').length;
  expect(told).toBeGreaterThan(1_000);
  expect(told).toBeLessThan(6_000);
});

test('texts of a Secret overwrite its data, the others come after it', () => {
  const made = secret({ ...head('Secret'), data: { a: 'YQ==', b: 'YQ==' }, stringData: { c: 'c', a: 'b' } });
  expect(JSON.stringify(made.data)).toBe('{"a":"Yg==","b":"YQ==","c":"Yw=="}');
});

test('of too many parameters only the names are counted', () => {
  let reads = 0;
  const get = (target: { [name: string]: string }, name: string | symbol): unknown => {
    reads += 1;
    return Reflect.get(target, name);
  };
  expect(parameterErrors(new Proxy(wide(20_000), { get }))).toMatchObject([{ type: 'FieldValueTooLong' }]);
  expect(reads).toBeLessThan(10);
});
