import { asObject } from '../../apimachinery/json.ts';
import { refuse } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { forbidden, notFound } from '../../apimachinery/status.ts';
import type { Status } from '../../apimachinery/status.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { newForbidden } from '../forbidden.ts';
import type { BuiltinPlugin, PluginAnswer, PluginPorts } from '../plugin.ts';
import { pass } from './handled-resource.ts';

/**
 * Refuses what happens in namespaces that are missing or going, and keeps the three that every cluster needs.
 * Follows apiserver pkg/admission/plugin/namespace/lifecycle/admission.go (rule PLG-10).
 */
export const namespaceLifecycle: BuiltinPlugin = {
  name: 'NamespaceLifecycle',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  mutate: admit,
};

const immortalNamespaces = ['default', 'kube-system', 'kube-public'];
const namespaces = { group: '', resource: 'namespaces' };

function admit(request: AdmissionAttributes, { cluster }: PluginPorts): Result<PluginAnswer> {
  const { operation, namespace, name } = request;
  if (request.kind.group === '' && request.kind.kind === 'Namespace') {
    const isRefused = operation === 'DELETE' && immortalNamespaces.includes(name);
    return isRefused ? refuse(forbidden(request.resource, name, 'this namespace may not be deleted')) : pass(request);
  }
  if (namespace === '' || operation === 'DELETE' || isAccessReview(request)) return pass(request);

  const stored = cluster.get(namespaces, '', namespace);
  if (stored === undefined) return refuse(notFound(namespaces, namespace));
  const isTerminating = asObject(stored['status'])['phase'] === 'Terminating';
  return operation === 'CREATE' && isTerminating ? refuse(terminating(request)) : pass(request);
}

/** Its answer would tell whether the namespace exists. */
const isAccessReview = ({ resource }: AdmissionAttributes): boolean =>
  resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews';

function terminating(request: AdmissionAttributes): Status {
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
