import type { ClusterView } from '../machinery/meta/cluster-view.ts';
import { type GroupResource, groupResourceText } from '../machinery/meta/gvk.ts';
import { asObject, type JsonObject } from '../machinery/json/json.ts';

const nodes = { group: '', resource: 'nodes' };

const warning = 'Pods stay Pending here because there is no Node; kadmit serve --nodes 1 simulates one';

/** The warning for a client that waits for this object, whose Pods stay Pending because there is no Node. */
export const pendingWarning =
  (cluster: ClusterView) =>
  (resource: GroupResource, namespace: string, name: string): string | undefined => {
    const isWaiting = waitingFor.get(groupResourceText(resource));
    if (!isWaiting || cluster.list(nodes).length > 0) return undefined;
    const object = cluster.get(resource, namespace, name);
    return object && isWaiting(asObject(object['spec']), asObject(object['status'])) ? warning : undefined;
  };

type IsWaiting = (spec: JsonObject, status: JsonObject) => boolean;

const lacksReplicas: IsWaiting = ({ replicas = 1 }, { readyReplicas = 0 }) => Number(readyReplicas) < Number(replicas);

/** A DaemonSet has no Pods without Nodes: its rollout is complete. */
const waitingFor: ReadonlyMap<string, IsWaiting> = new Map([
  ['pods', ({ nodeName = '' }, { phase = 'Pending' }) => nodeName === '' && phase === 'Pending'],
  ['deployments.apps', lacksReplicas],
  ['replicasets.apps', lacksReplicas],
  ['statefulsets.apps', lacksReplicas],
  ['replicationcontrollers', lacksReplicas],
  ['jobs.batch', ({ suspend }, { completionTime }) => suspend !== true && completionTime === undefined],
]);
