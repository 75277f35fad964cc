import { parseApiVersion } from '../../apimachinery/gvk.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { refuse } from '../../apimachinery/result.ts';
import type { ResourceQuestion } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { newForbidden } from '../forbidden.ts';
import type { BuiltinPlugin, PluginPorts } from '../plugin.ts';
import { pass } from './handled-resource.ts';

/**
 * Only who may delete an object gives it an owner, and only who may hold up the owner's deletion does so.
 * Follows kubernetes plugin/pkg/admission/gc/gc_admission.go (rule PLG-27).
 */
export const ownerReferencesPermissionEnforcement: BuiltinPlugin = {
  name: 'OwnerReferencesPermissionEnforcement',
  operations: ['CREATE', 'UPDATE'],
  validate: (request, ports) => {
    const fault = isStatusOfPod(request) ? undefined : faultOf(request, ports);
    return fault === undefined ? pass(request) : refuse(newForbidden(request, fault));
  },
};

const isStatusOfPod = ({ resource, subresource }: AdmissionAttributes): boolean =>
  resource.group === '' && resource.resource === 'pods' && subresource === 'status';

function faultOf(request: AdmissionAttributes, ports: PluginPorts): string | undefined {
  const [refs, old] = [refsOf(request.object), refsOf(request.oldObject)];
  if (sameJson(refs, old)) return undefined;
  if (request.operation === 'UPDATE') {
    const refused = refusal(request, { verb: 'delete' }, ports);
    if (refused !== undefined) return `cannot set an ownerRef on a resource you can't delete: ${refused}`;
  }
  const blocking = new Set(old.filter(blocks).map(({ uid }) => uid));
  const added = refs.filter((ref) => blocks(ref) && !blocking.has(ref['uid']));
  return added.map((ref) => blockFault(ref, request, ports)).find((fault) => fault !== undefined);
}

const refsOf = (object: KubernetesObject | null): readonly JsonObject[] =>
  asList(asObject(object?.metadata)['ownerReferences']).map(asObject);

const blocks = (ref: JsonObject): boolean => ref['blockOwnerDeletion'] === true;

function blockFault(ref: JsonObject, request: AdmissionAttributes, ports: PluginPorts): string | undefined {
  const [apiVersion, kind] = [asString(ref['apiVersion']), asString(ref['kind'])];
  const owner = ports.catalogue.forKind({ ...parseApiVersion(apiVersion), kind });
  if (owner === undefined) {
    const unknown = `no matches for kind "${kind}" in version "${apiVersion}"`;
    return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${unknown}`;
  }
  const { group, version, resource, namespaced } = owner;
  const namespace = namespaced ? request.namespace : '';
  const of = { group, version, resource, namespace, name: asString(ref['name']) };
  const refused = refusal(request, { ...of, verb: 'update', subresource: 'finalizers' }, ports);
  return refused === undefined
    ? undefined
    : `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${refused}`;
}

/** What the authorizer has against it, as upstream prints reason and error; undefined when it is allowed. */
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
