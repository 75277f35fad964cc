import { asObject } from '../../../machinery/json/json.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { forbidden, notFound, type Status } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden, byObject, byRule, refuseBecauseOf, deny } from '../chain/refusal.ts';
import type { SyncPlugin, PluginAnswer, PluginPorts, AsyncPlugin } from '../chain/plugin.ts';
import { pass } from './handled-resource.ts';
import type { Namespace } from '../../../api/types/generated/core-v1.ts';

/**
 * Denies creation in missing or terminating namespaces, before 1.37 also updates in missing ones, and deletion of the
 * three system ones. Follows apiserver pkg/admission/plugin/namespace/lifecycle/admission.go (rule PLG-10).
 */
export const namespaceLifecycle: SyncPlugin = {
  name: 'NamespaceLifecycle',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  mutate: admit,
};

const immortalNamespaces = ['default', 'kube-system', 'kube-public'];
const namespaces = { group: '', resource: 'namespaces' };

const mustExist = byRule('metadata.namespace', 'a namespace that exists (kubectl create namespace)');

function admit(request: AdmissionAttributes, { cluster, codec }: PluginPorts): Result<PluginAnswer> {
  const { operation, namespace, name } = request;
  if (request.kind.group === '' && request.kind.kind === 'Namespace') {
    const isRefused = operation === 'DELETE' && immortalNamespaces.includes(name);
    if (!isRefused) return pass(request);
    const status = forbidden(request.resource, name, 'this namespace may not be deleted');
    return refuseBecauseOf(request, status, byRule('a DELETE', `any namespace but ${immortalNamespaces.join(', ')}`));
  }
  if (namespace === '' || isFree(operation, codec.types.minor) || isAccessReview(request)) return pass(request);

  const stored: Namespace | undefined = cluster.get(namespaces, '', namespace);
  if (stored === undefined) return refuseBecauseOf(request, notFound(namespaces, namespace), mustExist);
  const isTerminating = asObject(stored.status).phase === 'Terminating';
  if (operation !== 'CREATE' || !isTerminating) return pass(request);
  const limit = { refused: 'metadata.namespace', allowed: 'a namespace that is not going' };
  return refuseBecauseOf(request, terminatingError(request), byObject(stored, 'status.phase', limit));
}

/** Updates since 1.37. */
const isFree = (operation: AdmissionAttributes['operation'], minor: number): boolean =>
  operation === 'DELETE' || (operation === 'UPDATE' && minor >= 37);

/** A refusal would reveal whether the namespace exists. */
const isAccessReview = ({ resource }: AdmissionAttributes): boolean =>
  resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews';

function terminatingError(request: AdmissionAttributes): Status {
  const { namespace } = request;
  const status = newForbidden(
    request,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return { ...status, details: { ...status.details, causes: [cause] } };
}

/**
 * Denies requests in missing namespaces. Follows kubernetes plugin/pkg/admission/namespace/exists/admission.go (rule
 * PLG-27).
 */
export const namespaceExists: SyncPlugin = {
  name: 'NamespaceExists',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  validate: (request, ports) =>
    lacksNamespace(request, ports)
      ? refuseBecauseOf(request, notFound(namespaces, request.namespace), mustExist)
      : pass(request),
};

/**
 * Creates missing namespaces. Follows kubernetes plugin/pkg/admission/namespace/autoprovision/admission.go (rule
 * PLG-27).
 */
export const namespaceAutoProvision: AsyncPlugin = {
  name: 'NamespaceAutoProvision',
  operations: ['CREATE'],
  mutate: async (request, ports) => {
    if (request.dryRun || !lacksNamespace(request, ports)) return pass(request);
    const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: request.namespace } };
    const created = await ports.api({ method: 'POST', path: '/api/v1/namespaces', body });
    if (created.ok || created.status.reason === 'AlreadyExists') return pass(request);
    return deny(request, created.status.message ?? '', byRule('metadata.namespace', 'a namespace that can be created'));
  },
};

const lacksNamespace = ({ kind, namespace }: AdmissionAttributes, { cluster }: PluginPorts): boolean =>
  namespace !== '' &&
  !(kind.group === '' && kind.kind === 'Namespace') &&
  cluster.get(namespaces, '', namespace) === undefined;
