import type { GroupResource } from '../machinery/meta/gvk.ts';
import { metadataOf } from '../machinery/meta/object.ts';
import type { NewUid } from '../machinery/clock.ts';
import type { ClusterView } from '../machinery/meta/cluster-view.ts';
import { controllerUser, type User } from './client.ts';
import type { ControllerName } from './enabled-controllers.ts';
import type { Seed } from './seed-objects.ts';

const serviceAccounts: GroupResource = { group: '', resource: 'serviceaccounts' };
const namespace = 'kube-system';

/** Accounts that are named differently from their controllers. Follows cmd/kube-controller-manager/app. */
const accountNames: Partial<Readonly<Record<ControllerName, string>>> = {
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

/** The ServiceAccounts of these controllers, as upstream's controller manager creates them. */
export const accountSeeds = (enabled: ReadonlySet<ControllerName>): readonly Seed[] =>
  [...enabled].map((controller) => ({
    resource: serviceAccounts,
    object: {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: accountNames[controller] ?? controller, namespace },
    },
  }));

/** The user of the account's token: with the uid of the ServiceAccount, if it exists. */
export function withAccountUid(user: User, store: Pick<ClusterView, 'get'>, newUid: NewUid): User {
  const name = user.username.startsWith(prefix) ? user.username.slice(prefix.length) : '';
  const account = name === '' ? undefined : store.get(serviceAccounts, namespace, name);
  if (!account) return user;
  const extra = { 'authentication.kubernetes.io/credential-id': [`JTI=${newUid()}`] };
  return { ...user, uid: metadataOf(account).uid ?? '', extra };
}

const prefix = controllerUser('').username;
