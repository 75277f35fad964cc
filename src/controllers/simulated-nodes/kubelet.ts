import { asString } from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { Client, User } from '../client.ts';
import { follow } from '../controller.ts';
import type { ControllerContext } from '../controller.ts';
import { coreV1, pathOf } from '../served-resources.ts';
import { createWorkQueue, progressOf } from '../work-queue.ts';
import type { Progress } from '../work-queue.ts';
import { createEventRecorder } from '../workloads/event-recorder.ts';
import type { EventRecorder } from '../workloads/event-recorder.ts';
import { nameOf, uidOf } from '../workloads/fields.ts';
import { keyOfName, nameIn } from '../workloads/follow-pods.ts';
import type { ObjectName } from '../workloads/follow-pods.ts';
import { pods } from '../workloads/pod-control.ts';
import { putStatus } from '../workloads/write-object.ts';
import { podAddressAt } from './addresses.ts';
import { nextStep } from './pod-life.ts';
import type { NextStep } from './pod-life.ts';
import type { Pod, PodStatus } from '../../api/types/generated/core-v1.ts';

export const nodeUser = (node: string): User => ({
  username: `system:node:${node}`,
  uid: '',
  groups: ['system:nodes', 'system:authenticated'],
  extra: {},
});

interface Kubelet {
  readonly client: Client;
  readonly recorder: EventRecorder;
}

const nodes = coreV1('nodes');

/** Runs the Pods that are bound to existing nodes as their kubelets would. No container runs. */
export function runKubelets(context: ControllerContext): Progress {
  const { store, clock } = context;
  const kubelets = new Map<string, Kubelet>();
  const kubeletOf = (node: string): Kubelet => {
    const known = kubelets.get(node);
    if (known) return known;
    const client = context.clientFor(nodeUser(node), 'kubelet');
    const made = { client, recorder: createEventRecorder('kubelet', client, context) };
    kubelets.set(node, made);
    return made;
  };
  /** Since when a Pod has been in the state it is in. */
  const since = new Map<string, { readonly version: string; readonly at: number }>();
  let addresses = 0;
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const pod: Pod | undefined = store.get(pods, key.namespace, key.name);
    const node = pod ? nodeOf(pod) : '';
    if (!pod || !store.get(nodes, '', node)) return ok(since.delete(keyOfName(key)));
    const { client, recorder } = kubeletOf(node);
    const now = clock.now();
    const step = nextStep(pod, { now, since: begin(since, key, { pod, now }), address: podAddressAt(addresses) });
    if (step.act === 'nothing') return ok(undefined);
    if (step.after > 0) {
      (isCounted(step) ? queue.addSoon : queue.addLater)(key, step.after);
      return ok(undefined);
    }
    if (step.act === 'remove') return remove(client, pod);
    if (hasNewAddress(pod, step.status)) addresses += 1;
    const written = await putStatus(client, pods, pod, step.status);
    if (!written.ok) return written.status.code === 404 ? ok(undefined) : written;
    if (step.says) recorder.event(pod, step.says.type, step.says.reason, step.says.message);
    return written;
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  follow(context, pods, ({ type, object }) => {
    if (type === 'removed') since.delete(keyOfName(nameIn(object)));
    else if (nodeOf(object) !== '') queue.add(nameIn(object));
  });
  follow(context, nodes, ({ type, object }) => {
    if (type !== 'created') return;
    for (const pod of store.list(pods)) if (nodeOf(pod) === nameOf(object)) queue.add(nameIn(pod));
  });
  // Nodes may be added later.
  const all = (): Progress =>
    progressOf([queue.progress, ...[...kubelets.values()].map(({ recorder }) => recorder.progress)]);
  return {
    isIdle: () => all().isIdle(),
    whenIdle: () => all().whenIdle(),
    whenEnded: () => all().whenEnded(),
  };
}

const hasNewAddress = (pod: Pod, { podIP }: PodStatus): boolean => podIP !== pod.status?.podIP;

const nodeOf = (pod: Pod): string => asString(pod.spec?.nodeName);

interface Seen {
  readonly pod: Pod;
  readonly now: number;
}

/** Only what the node itself wrote begins a state anew. */
function begin(
  since: Map<string, { readonly version: string; readonly at: number }>,
  key: ObjectName,
  { pod, now }: Seen,
): number {
  const version = `${uidOf(pod)} ${JSON.stringify(pod.status?.containerStatuses ?? null)}`;
  const known = since.get(keyOfName(key));
  if (known?.version === version) return known.at;
  since.set(keyOfName(key), { version, at: now });
  return now;
}

type Due = Exclude<NextStep, { readonly act: 'nothing' }>;

/** Endless steps and long waits do not keep the controllers busy. */
const isCounted = (step: Due): boolean => step.after <= 60_000 && !(step.act === 'write' && step.endless);

async function remove(client: Client, pod: Pod): Promise<Result<unknown>> {
  const { uid = '', namespace = '' } = metadataOf(pod);
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, preconditions: { uid } };
  const deleted = await client({ method: 'DELETE', path: pathOf(pods, namespace, nameOf(pod)), body });
  return deleted.ok || deleted.status.code === 404 ? ok(undefined) : deleted;
}
