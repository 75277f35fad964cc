import { nodeUser } from '../client.ts';
import { followedVersion } from '../../machinery/meta/release-names.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import type { Controller } from '../controller.ts';
import { coreV1, resourcePath } from '../served-resources.ts';
import { createWorkQueue, combineProgress } from '../work-queue.ts';
import { conditionsOf } from '../workloads/fields.ts';
import { putStatus } from '../write-object.ts';
import { runKubelets } from './kubelet.ts';
import { runScheduler } from './scheduler.ts';

const nodes = coreV1('nodes');

/** `count` ready nodes with a scheduler and kubelets. No container runs. */
export const simulateNodes =
  (count: number): Controller =>
  (context) => {
    const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`);
    const joining = createWorkQueue<string>(
      (name) => name,
      async (name) => {
        const client = context.clientFor(nodeUser(name), 'kubelet');
        const there = (): KubernetesObject | undefined => context.store.get(nodes, '', name);
        const created = there()
          ? ok(undefined)
          : await client({ method: 'POST', path: resourcePath(nodes, ''), body: newNode(name) });
        const live = there();
        if (!live || conditionsOf(live).length > 0) return created;
        return putStatus(client, nodes, live, readyStatus(name, formatTime(context.clock.now())));
      },
      context,
    );
    names.forEach(joining.add);
    return combineProgress([joining.progress, runScheduler(context), runKubelets(context)]);
  };

const newNode = (name: string): KubernetesObject => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: {
    name,
    labels: {
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
    },
  },
  spec: {},
});

const resources: JsonObject = { cpu: '1k', memory: '1Ti', pods: '1M' };

function readyStatus(name: string, now: string): JsonObject {
  const condition = (type: string, status: string, reason: string): JsonObject => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message: '',
  });
  return {
    capacity: resources,
    allocatable: resources,
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
      condition('Ready', 'True', 'KubeletReady'),
    ],
    addresses: [{ type: 'Hostname', address: name }],
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: '',
      osImage: '',
      containerRuntimeVersion: 'kadmit://nothing-is-executed',
      kubeletVersion: followedVersion,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}
