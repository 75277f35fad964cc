import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { follow } from '../../controller.ts';
import type { ControllerContext } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import { intOf, nameOf, namespaceOf } from '../fields.ts';
import { nameIn } from '../follow-pods.ts';
import type { ObjectName } from '../follow-pods.ts';
import { controllerOf } from '../ownership.ts';
import { pods } from '../pod-control.ts';
import { fitOf } from './daemon-pod.ts';
import { daemonSets } from './daemon-history.ts';
import type { Node, Pod } from '../../../api/types/generated/core-v1.ts';
import type { DaemonSet } from '../../../api/types/generated/apps-v1.ts';

/**
 * A node that comes, or changes its labels or taints, concerns the sets whose daemon should come or go there. Daemons count
 * that are bound to it; one that goes is the affair of those who remove its Pods.
 * Follows pkg/controller/daemon/daemon_controller.go syncNodeUpdate.
 */
export function followNodes(context: ControllerContext, add: (key: ObjectName) => void): void {
  const { store } = context;
  follow(context, coreV1('nodes'), (change) => {
    const { type, object: node } = change;
    if (type === 'removed' || (type === 'updated' && sameJson(placement(node), placement(change.previous)))) return;
    const sets: readonly DaemonSet[] = store.list(daemonSets);
    const bound = sets.length === 0 ? [] : store.list(pods).filter((pod: Pod) => pod.spec?.nodeName === nameOf(node));
    for (const set of sets) {
      const isThere = bound.some((pod) => isDaemonOf(pod, set));
      const { shouldRun, mayStay } = fitOf(set, node);
      const isMisplaced = isThere && (!mayStay || intOf(set.status?.numberMisscheduled) > 0);
      if ((shouldRun && !isThere) || isMisplaced) add(nameIn(set));
    }
  });
}

/** Follows shouldIgnoreNodeUpdate. */
const placement = (node: Node): JsonValue => [metadataOf(node).labels ?? {}, node.spec?.taints ?? []];

function isDaemonOf(pod: Pod, set: DaemonSet): boolean {
  const owner = controllerOf(pod);
  return owner?.kind === 'DaemonSet' && owner.name === nameOf(set) && namespaceOf(pod) === namespaceOf(set);
}
