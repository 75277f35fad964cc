import { type GroupVersionResource, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { KubernetesObject, OwnerReference } from '../../../machinery/meta/object.ts';
import type { ResourceQuestion } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import type { PluginPorts, SyncPlugin } from '../chain/plugin.ts';
import { findRestMapping } from '../../../api/types/catalogue/catalogue.ts';
import { deny, byPermission } from '../chain/refusal.ts';
import { pass } from './handled-resource.ts';

/**
 * Setting owners needs `delete` on the object; blockOwnerDeletion needs `update` on the owner's finalizers. Follows
 * kubernetes plugin/pkg/admission/gc/gc_admission.go (rule PLG-27).
 */
export const ownerReferencesPermissionEnforcement: SyncPlugin = {
  name: 'OwnerReferencesPermissionEnforcement',
  operations: ['CREATE', 'UPDATE'],
  validate: (request, ports) => {
    const fault = isStatusOfPod(request) ? undefined : faultOf(request, ports);
    if (fault === undefined) return pass(request);
    const source = byPermission(request.userInfo.username, fault.may, 'metadata.ownerReferences');
    return deny(request, fault.message, source);
  },
};

const isStatusOfPod = ({ resource, subresource }: AdmissionAttributes): boolean =>
  resource.group === '' && resource.resource === 'pods' && subresource === 'status';

interface Fault {
  readonly message: string;
  readonly may: string;
}

function faultOf(request: AdmissionAttributes, ports: PluginPorts): Fault | undefined {
  const [refs, old] = [refsOf(request.object), refsOf(request.oldObject)];
  if (sameJson(refs, old)) return undefined;
  if (request.operation === 'UPDATE') {
    const refused = refusal(request, { verb: 'delete' }, ports);
    if (refused !== undefined) {
      const message = `cannot set an ownerRef on a resource you can't delete: ${refused}`;
      return { message, may: `delete ${permissionText(request.resource, request.name)}` };
    }
  }
  const blocking = new Set(old.filter(blocks).map(({ uid }) => uid));
  const added = refs.filter((ref) => blocks(ref) && !blocking.has(ref.uid));
  if (added.length === 0 || refusal(request, anything, ports) === undefined) return undefined;
  for (const ref of added) {
    const fault = blockFault(ref, request, ports);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Permission for all finalizers covers each owner. */
const anything = {
  verb: 'update',
  group: '*',
  version: '*',
  resource: '*',
  subresource: 'finalizers',
  namespace: '',
  name: '*',
} as const;

const refsOf = (object: KubernetesObject | null): readonly OwnerReference[] =>
  asList(asObject(object?.metadata).ownerReferences);

const blocks = (ref: OwnerReference): boolean => ref.blockOwnerDeletion === true;

function blockFault(ref: OwnerReference, request: AdmissionAttributes, ports: PluginPorts): Fault | undefined {
  const [apiVersion, kind] = [asString(ref.apiVersion), asString(ref.kind)];
  const owner = findRestMapping({ ...parseApiVersion(apiVersion), kind }, ports.catalogue);
  if (owner === undefined) {
    const unknown = `no matches for kind "${kind}" in version "${apiVersion}"`;
    const message = `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${unknown}`;
    return { message, may: `update finalizers of ${kind}, a kind that is not served` };
  }
  const { group, version, resource, namespaced } = owner;
  const namespace = namespaced ? request.namespace : '';
  const of = { group, version, resource, namespace, name: asString(ref.name) };
  const refused = refusal(request, { ...of, verb: 'update', subresource: 'finalizers' }, ports);
  if (refused === undefined) return undefined;
  const message = `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${refused}`;
  return { message, may: `update ${permissionText(owner, of.name)} --subresource=finalizers` };
}

/** As in `kubectl auth can-i`: `deployments.apps/web`. */
const permissionText = ({ group, resource }: Pick<GroupVersionResource, 'group' | 'resource'>, name: string): string =>
  `${resource}${group === '' ? '' : `.${group}`}/${name}`;

function refusal(
  { resource, subresource, namespace, name, userInfo: user }: AdmissionAttributes,
  question: Partial<ResourceQuestion>,
  { authorize }: PluginPorts,
): string | undefined {
  const { allowed, reason } = authorize({
    ...resource,
    type: 'resource',
    user,
    verb: '',
    subresource,
    namespace,
    name,
    ...question,
  });
  return allowed ? undefined : `${reason}, <nil>`;
}
