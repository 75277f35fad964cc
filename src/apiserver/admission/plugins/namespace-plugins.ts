import { notFound } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { SyncPlugin, AsyncPlugin, PluginPorts } from '../chain/plugin.ts';
import { deny, byRule, refusedBy } from '../chain/refused-by.ts';
import { pass } from './handled-resource.ts';
import { mustExist } from './namespace-lifecycle.ts';

const namespaces = { group: '', resource: 'namespaces' };

/**
 * Denies requests in missing namespaces. Follows kubernetes plugin/pkg/admission/namespace/exists/admission.go (rule
 * PLG-27).
 */
export const namespaceExists: SyncPlugin = {
  name: 'NamespaceExists',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  validate: (request, ports) =>
    lacksNamespace(request, ports)
      ? refusedBy(request, notFound(namespaces, request.namespace), mustExist)
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
    const made = await ports.api({ method: 'POST', path: '/api/v1/namespaces', body });
    if (made.ok || made.status.reason === 'AlreadyExists') return pass(request);
    return deny(request, made.status.message ?? '', byRule('metadata.namespace', 'a namespace that can be created'));
  },
};

const lacksNamespace = ({ kind, namespace }: AdmissionAttributes, { cluster }: PluginPorts): boolean =>
  namespace !== '' &&
  !(kind.group === '' && kind.kind === 'Namespace') &&
  cluster.get(namespaces, '', namespace) === undefined;
