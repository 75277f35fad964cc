import { metadataOf, withMetadata } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { controllerUser } from './client.ts';
import { type Controller, followResource } from './controller.ts';
import { coreV1, namespaces } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import { ignoreLostRace, postObject, putObject } from './write-object.ts';
import type { Namespace, ConfigMap } from '../api/types/generated/core-v1.ts';
import { sameJson } from '../machinery/json/json-equal.ts';

const serviceAccounts = coreV1('serviceaccounts');

/**
 * Creates the ServiceAccount `default` in every active namespace. Follows
 * pkg/controller/serviceaccount/serviceaccounts_controller.go.
 */
export const serviceAccountsController: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('service-account-controller'));
  const sync = async (namespace: string): Promise<Result<unknown>> => {
    if (!isActive(store.get(namespaces, '', namespace))) return ok(undefined);
    if (store.get(serviceAccounts, namespace, 'default')) return ok(undefined);
    const body = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default', namespace } };
    return ignoreLostRace(await postObject(client, serviceAccounts, body));
  };
  const queue = createWorkQueue((namespace) => namespace, sync, context);
  followResource(context, namespaces, ({ object }) => queue.add(metadataOf(object).name ?? ''));
  followResource(context, serviceAccounts, ({ type, object }) => {
    const { name, namespace = '' } = metadataOf(object);
    if (type === 'removed' && name === 'default') queue.add(namespace);
  });
  return queue.progress;
};

const isActive = (namespace: Namespace | undefined): boolean => namespace?.status?.phase === 'Active';

const configMaps = coreV1('configmaps');
const name = 'kube-root-ca.crt';
const descriptionKey = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/**
 * Maintains the ConfigMap `kube-root-ca.crt` in every active namespace. Follows
 * pkg/controller/certificates/rootcacertpublisher/publisher.go.
 */
export const rootCaPublisher: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('root-ca-cert-publisher'));
  const data = { 'ca.crt': context.rootCa };
  const sync = async (namespace: string): Promise<Result<unknown>> => {
    if (!isActive(store.get(namespaces, '', namespace))) return ok(undefined);
    const current: ConfigMap | undefined = store.get(configMaps, namespace, name);
    if (!current) {
      const metadata = { name, namespace, annotations: { [descriptionKey]: description } };
      const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata, data };
      return ignoreLostRace(await postObject(client, configMaps, body));
    }
    const { annotations } = metadataOf(current);
    if (sameJson(current.data, data) && (annotations?.[descriptionKey] ?? '') !== '') return ok(undefined);
    const described = withMetadata(current, { annotations: { ...annotations, [descriptionKey]: description } });
    return putObject(client, configMaps, { ...described, data });
  };
  const queue = createWorkQueue((namespace) => namespace, sync, context);
  followResource(context, namespaces, ({ object }) => queue.add(metadataOf(object).name ?? ''));
  followResource(context, configMaps, ({ type, object }) => {
    const metadata = metadataOf(object);
    if (metadata.name === name && type !== 'created') queue.add(metadata.namespace ?? '');
  });
  return queue.progress;
};
