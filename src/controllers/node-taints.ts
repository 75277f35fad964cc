import { syncObjects } from './workloads/follow-pods.ts';
import { asList, asString } from '../machinery/json/json.ts';
import { metadataOf, ownValue } from '../machinery/meta/object.ts';
import { ok } from '../machinery/meta/result.ts';
import { patchObject, ignoreNotFound } from './write-object.ts';
import { controllerUser } from './client.ts';
import type { Controller } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import type { Node, Taint } from '../api/types/generated/core-v1.ts';

const nodes = coreV1('nodes');

/** Taints by condition and status. */
const taintsByCondition: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: 'not-ready', Unknown: 'unreachable' },
  MemoryPressure: { True: 'memory-pressure' },
  DiskPressure: { True: 'disk-pressure' },
  NetworkUnavailable: { True: 'network-unavailable' },
  PIDPressure: { True: 'pid-pressure' },
};

const unschedulable = 'unschedulable';
const managedTaintKeys = [
  ...Object.values(taintsByCondition).flatMap((taints) => Object.values(taints)),
  unschedulable,
].map(taintKey);

function taintKey(name: string): string {
  return `node.kubernetes.io/${name}`;
}

/**
 * Sets the NoSchedule taints of node conditions, without waiting for heartbeats. Follows
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go doNoScheduleTaintingPass.
 */
export const nodeLifecycleController: Controller = (context) => {
  const client = context.clientFor(controllerUser('node-controller'));
  const queue = syncObjects(context, nodes, async (node) => {
    const taints = updateTaints(node);
    if (!taints) return ok(undefined);
    const { resourceVersion = '' } = metadataOf(node);
    const body = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } };
    return ignoreNotFound(await patchObject(client, nodes, node, { type: 'merge-patch', body }));
  });
  return queue.progress;
};

/** undefined when nothing changes. */
export function updateTaints(node: Node): readonly Taint[] | undefined {
  const conditions = asList(node.status?.conditions);
  const names = conditions.map(({ type, status }) =>
    ownValue(ownValue(taintsByCondition, asString(type)) ?? {}, asString(status)),
  );
  if (node.spec?.unschedulable === true) names.push(unschedulable);
  const desired = new Set(names.filter((name) => name !== undefined).map(taintKey));
  const taints = asList(node.spec?.taints);
  const isOurs = ({ key, effect }: Taint): boolean =>
    effect === 'NoSchedule' && managedTaintKeys.includes(asString(key));
  const present = taints.filter(isOurs).map(({ key }) => asString(key));
  if (present.length === desired.size && present.every((key) => desired.has(key))) return undefined;
  const remaining = taints.filter((taint) => !isOurs(taint) || desired.has(asString(taint.key)));
  const missing = [...desired].filter((key) => !present.includes(key));
  return [...remaining, ...missing.map((key): Taint => ({ key, effect: 'NoSchedule' }))];
}
