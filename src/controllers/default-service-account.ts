import { metadataOf } from '../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../machinery/meta/result.ts';
import type { Status } from '../machinery/meta/status.ts';
import { controllerUser } from './client.ts';
import { type Controller, followResource } from './controller.ts';
import { coreV1, namespaces, resourcePath } from './served-resources.ts';
import { createWorkQueue } from './work-queue.ts';
import type { Namespace } from '../api/types/generated/core-v1.ts';

const serviceAccounts = coreV1('serviceaccounts');

/**
 * Creates the ServiceAccount `default` in every active namespace. Follows
 * pkg/controller/serviceaccount/serviceaccounts_controller.go.
 */
export const defaultServiceAccounts: Controller = (context) => {
  const { store } = context;
  const client = context.clientFor(controllerUser('service-account-controller'));
  const sync = async (namespace: string): Promise<Result<unknown>> => {
    if (!isActive(store.get(namespaces, '', namespace))) return ok(undefined);
    if (store.get(serviceAccounts, namespace, 'default')) return ok(undefined);
    const body = { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default', namespace } };
    const made = await client({ method: 'POST', path: resourcePath(serviceAccounts, namespace), body });
    return made.ok || needsNoRetry(made.status) ? ok(undefined) : refuse(made.status);
  };
  const queue = createWorkQueue((namespace) => namespace, sync, context);
  followResource(context, namespaces, ({ object }) => queue.add(metadataOf(object).name ?? ''));
  followResource(context, serviceAccounts, ({ type, object }) => {
    const { name, namespace = '' } = metadataOf(object);
    if (type === 'removed' && name === 'default') queue.add(namespace);
  });
  return queue.progress;
};

export const isActive = (namespace: Namespace | undefined): boolean => namespace?.status?.phase === 'Active';

/** Another writer was first, or the namespace is terminating. */
export const needsNoRetry = ({ reason, details }: Status): boolean =>
  reason === 'AlreadyExists' ||
  reason === 'NotFound' ||
  (details?.causes ?? []).some((cause) => cause.reason === 'NamespaceTerminating');
