import type { GroupResource } from '../machinery/meta/gvk.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import type { NewUid } from '../machinery/clock.ts';
import type { ClusterView } from '../machinery/meta/cluster-view.ts';
import { controllerUser } from './client.ts';
import type { User } from './client.ts';
import type { ControllerName } from './enabled-controllers.ts';
import type { Seed } from './seed-objects.ts';

const serviceAccounts: GroupResource = { group: '', resource: 'serviceaccounts' };
const namespace = 'kube-system';

/** Those that are not called as their controller is. Follows cmd/kube-controller-manager/app. */
const otherNames: Partial<Readonly<Record<ControllerName, string>>> = {
  'serviceaccount-controller': 'service-account-controller',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'garbage-collector-controller': 'generic-garbage-collector',
  'certificatesigningrequest-signing-controller': 'certificate-controller',
  'pod-garbage-collector-controller': 'pod-garbage-collector',
  'replicationcontroller-controller': 'replication-controller',
  'daemonset-controller': 'daemon-set-controller',
  'node-lifecycle-controller': 'node-controller',
  'taint-eviction-controller': 'node-controller',
  'endpoints-controller': 'endpoint-controller',
  'endpointslice-mirroring-controller': 'endpointslicemirroring-controller',
  'persistentvolumeclaim-protection-controller': 'pvc-protection-controller',
  'persistentvolume-protection-controller': 'pv-protection-controller',
};

/** The ServiceAccount of each of these controllers, as a controller manager with credentials for each makes them. */
export const accountSeeds = (enabled: ReadonlySet<ControllerName>): readonly Seed[] =>
  [...enabled].map((controller) => ({
    resource: serviceAccounts,
    object: {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: otherNames[controller] ?? controller, namespace },
    },
  }));

/** The user as their token says who they are: with the uid of the ServiceAccount, if there is one. */
export function asAccount(user: User, store: Pick<ClusterView, 'get'>, newUid: NewUid): User {
  const name = user.username.startsWith(prefix) ? user.username.slice(prefix.length) : '';
  const account = name === '' ? undefined : store.get(serviceAccounts, namespace, name);
  if (!account) return user;
  const extra = { 'authentication.kubernetes.io/credential-id': [`JTI=${newUid()}`] };
  return { ...user, uid: metadataOf(account).uid ?? '', extra };
}

const prefix = controllerUser('').username;
