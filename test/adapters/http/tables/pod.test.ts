import { expect, test } from 'vitest';
import { podCells } from '../../../../src/adapters/http/tables/pod.ts';

const now = Date.parse('2026-01-02T00:00:00Z');
const created = '2026-01-01T00:00:00Z';
const ago = '2026-01-01T23:59:50Z';

const running = { ready: true, state: { running: {} } };
const crashed = {
  restartCount: 3,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { finishedAt: ago } },
};
const done = { state: { terminated: { exitCode: 0, reason: 'Completed' } } };
const initDone = { state: { terminated: { exitCode: 0 } } };
const failed = (fields: object): object => ({ state: { terminated: { exitCode: 2, ...fields } } });
const sidecar = { name: 's', restartPolicy: 'Always' };
const ready = { conditions: [{ type: 'Ready', status: 'True' }] };
const deleting = { deletionTimestamp: created };
const one = { containers: [{ name: 'c' }] };
const two = { containers: [{ name: 'c' }, { name: 'd' }] };
const withInit = { initContainers: [{ name: 'i' }, { name: 'j' }], ...one };

interface Fields {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

// Source: kubernetes pkg/printers/internalversion/printers_test.go TestPrintPod
const facts: readonly [fact: string, pod: Fields, cells: readonly string[]][] = [
  ['the phase, at first', { status: { phase: 'Pending' } }, ['0/1', 'Pending', '0']],
  ['a reason given for the phase', { status: { phase: 'Failed', reason: 'Evicted' } }, ['0/1', 'Evicted', '0']],
  [
    'a scheduling gate',
    { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
    ['0/1', 'SchedulingGated', '0'],
  ],
  ['a running container', { status: { phase: 'Running', containerStatuses: [running] } }, ['1/1', 'Running', '0']],
  [
    'a waiting container gives the word, and its last end the time',
    { status: { phase: 'Running', containerStatuses: [crashed] } },
    ['0/1', 'CrashLoopBackOff', '3 (10s ago)'],
  ],
  [
    'restarts without a time',
    { status: { phase: 'Running', containerStatuses: [{ ...running, restartCount: 2 }] } },
    ['1/1', 'Running', '2'],
  ],
  [
    'the first container has the last word',
    { spec: two, status: { phase: 'Running', containerStatuses: [crashed, failed({ reason: 'Error' })] } },
    ['0/2', 'CrashLoopBackOff', '3 (10s ago)'],
  ],
  ['an exit code', { status: { phase: 'Failed', containerStatuses: [failed({})] } }, ['0/1', 'ExitCode:2', '0']],
  ['a signal', { status: { phase: 'Failed', containerStatuses: [failed({ signal: 9 })] } }, ['0/1', 'Signal:9', '0']],
  [
    'one done, one running, the pod ready',
    { spec: two, status: { phase: 'Running', ...ready, containerStatuses: [done, running] } },
    ['1/2', 'Running', '0'],
  ],
  [
    'one done, one running, the pod not ready',
    { spec: two, status: { phase: 'Running', containerStatuses: [done, running] } },
    ['1/2', 'NotReady', '0'],
  ],
  ['all done', { status: { phase: 'Succeeded', containerStatuses: [done] } }, ['0/1', 'Completed', '0']],
  [
    'the first init container not begun',
    { spec: withInit, status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: {} }] } },
    ['0/1', 'Init:0/2', '0'],
  ],
  [
    'the second init container begun',
    {
      spec: withInit,
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { ...initDone, name: 'i' },
          { name: 'j', state: { waiting: { reason: 'PodInitializing' } } },
        ],
        containerStatuses: [crashed],
      },
    },
    ['0/1', 'Init:1/2', '0'],
  ],
  [
    'a failed init container',
    {
      spec: withInit,
      status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', ...failed({ reason: 'Error' }) }] },
    },
    ['0/1', 'Init:Error', '0'],
  ],
  [
    'a failed init container that gives no reason',
    {
      spec: withInit,
      status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', restartCount: 1, ...failed({}) }] },
    },
    ['0/1', 'Init:ExitCode:2', '1'],
  ],
  [
    'an init container whose image is missing',
    {
      spec: withInit,
      status: { initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'ImagePullBackOff' } } }] },
    },
    ['0/1', 'Init:ImagePullBackOff', '0'],
  ],
  [
    'a sidecar counts among the containers',
    {
      spec: { ...one, initContainers: [sidecar] },
      status: {
        phase: 'Running',
        initContainerStatuses: [{ name: 's', started: true, restartCount: 2, ...running }],
        containerStatuses: [{ ...running, restartCount: 1 }],
      },
    },
    ['2/2', 'Running', '3'],
  ],
  [
    'a sidecar that has not started',
    {
      spec: { ...one, initContainers: [sidecar] },
      status: { phase: 'Pending', initContainerStatuses: [{ name: 's', started: false, state: { running: {} } }] },
    },
    ['0/2', 'Init:0/1', '0'],
  ],
  ['a pod being deleted', { metadata: deleting, status: { phase: 'Running' } }, ['0/1', 'Terminating', '0']],
  ['a finished pod being deleted', { metadata: deleting, status: { phase: 'Succeeded' } }, ['0/1', 'Succeeded', '0']],
  [
    'a pod being deleted on a lost node',
    { metadata: deleting, status: { phase: 'Running', reason: 'NodeLost' } },
    ['0/1', 'Unknown', '0'],
  ],
];

test.each(facts)('%s', (_fact, { metadata, spec = one, status = {} }, cells) => {
  const pod = {
    metadata: { name: 'p', creationTimestamp: created, ...metadata },
    spec: { ...spec },
    status: { ...status },
  };
  expect(podCells(pod, now).slice(0, 5)).toEqual(['p', ...cells, '24h']);
});

test('the wide columns', () => {
  const pod = {
    spec: { nodeName: 'n', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
    status: {
      podIPs: [{ ip: '10.1.2.3' }],
      nominatedNodeName: 'm',
      conditions: [
        { type: 'a', status: 'True' },
        { type: 'b', status: 'False' },
      ],
    },
  };
  expect(podCells(pod, now).slice(5)).toEqual(['10.1.2.3', 'n', 'm', '1/2']);
  expect(podCells({}, now)).toEqual(['', '0/0', '', '0', '<unknown>', '<none>', '<none>', '<none>', '<none>']);
});
