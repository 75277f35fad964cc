import { type FieldError, forbiddenField } from '../../../machinery/meta/field-error.ts';
import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { goPrint } from '../../../machinery/go/go-print.ts';
import { parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import type { Authorize } from '../../auth/authorizer.ts';
import type { UserInfo } from '../../auth/user.ts';
import type { Catalogue } from '../../../api/types/catalogue/catalogue.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

const group = 'admissionregistration.k8s.io';

/** The policy resource by the binding's kind. */
const policiesOf: ReadonlyMap<string, string> = new Map([
  ['ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicies'],
  ['MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicies'],
]);

export interface PermissionPorts {
  readonly authorize: Authorize;
  readonly catalogue: Pick<Catalogue, 'forKind'>;
  readonly cluster: Pick<ClusterView, 'get'>;
}

export interface ParamWrite {
  readonly user: UserInfo;
  readonly object: KubernetesObject;
  readonly oldObject: KubernetesObject | undefined;
}

/**
 * Writers of a policy with params need read permission for them. Follows kubernetes
 * pkg/registry/admissionregistration/{validating,mutating}admissionpolicy{,binding}/authz.go (rule CFG-83).
 */
export function paramPermissionErrors(write: ParamWrite, ports: PermissionPorts): readonly FieldError[] {
  if (write.user.groups.includes('system:masters')) return [];
  const policies = policiesOf.get(write.object.kind);
  return policies === undefined ? kindErrors(write, ports) : bindingErrors(write, policies, ports);
}

/** `*` where unknown. */
interface ParamResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly unresolved: boolean;
}

const everything: ParamResource = { group: '*', version: '*', resource: '*', unresolved: false };

function resolveParamResource({ apiVersion, kind }: v1.ParamKind, { catalogue }: PermissionPorts): ParamResource {
  const { group: ofKind, version } = parseApiVersion(asString(apiVersion));
  const row = catalogue.forKind({ group: ofKind, version, kind: asString(kind) });
  return { group: ofKind, version, resource: row?.resource ?? '*', unresolved: row === undefined };
}

const policySpec = (policy: v1.ValidatingAdmissionPolicy | undefined) => asObject(policy?.spec);

function kindErrors({ user, object, oldObject }: ParamWrite, ports: PermissionPorts): readonly FieldError[] {
  const { paramKind } = policySpec(object);
  if (!isJsonObject(paramKind)) return [];
  if (oldObject !== undefined && sameJson(policySpec(oldObject).paramKind, paramKind)) return [];
  const { unresolved: _, ...wanted } = resolveParamResource(paramKind, ports);
  const question = { type: 'resource', user, verb: 'get', subresource: '', namespace: '*', name: '*' } as const;
  const { allowed } = ports.authorize({ ...question, ...wanted });
  if (allowed) return [];
  const { kind, apiVersion } = paramKind;
  const named = `(kind=${asString(kind)}, apiVersion=${asString(apiVersion)})`;
  const detail = `user ${formatUser(user)} must have "get" permission on all objects of the referenced paramKind ${named}`;
  return [forbiddenField('spec.paramKind', detail)];
}

/** Checked on every write: upstream compares pointers of old and new, which always differ. */
function bindingErrors({ user, object }: ParamWrite, policies: string, ports: PermissionPorts): readonly FieldError[] {
  const binding: v1.ValidatingAdmissionPolicyBinding = object;
  const { paramRef, policyName } = asObject(binding.spec);
  if (!isJsonObject(paramRef)) return [];
  const policy = ports.cluster.get({ group, resource: policies }, '', asString(policyName));
  const { paramKind } = policySpec(policy);
  const { unresolved, ...wanted } = isJsonObject(paramKind) ? resolveParamResource(paramKind, ports) : everything;
  const name = asString(paramRef.name);
  const verb = name === '' ? 'list' : 'get';
  const namespace = asString(paramRef.namespace);
  const question = { type: 'resource', user, verb, subresource: '', namespace, name, ...wanted } as const;
  if (ports.authorize(question).allowed) return [];
  const unknown = (what: string): string =>
    `unable to ${what} to determine minimum required permissions and user ${formatUser(user)} does not have "${verb}" permission for all groups, versions and resources`;
  const detail = !policy
    ? unknown(`get policy ${asString(policyName)}`)
    : unresolved
      ? unknown(`resolve paramKind ${formatParamKind(asObject(paramKind))}`)
      : objectSentence(object.kind, formatUser(user), verb);
  return [forbiddenField('spec.paramRef', detail)];
}

/** Upstream swaps verb and user for mutating policies. */
function objectSentence(kind: string, user: string, verb: string): string {
  const [who, what] = kind === 'MutatingAdmissionPolicyBinding' ? [verb, user] : [user, verb];
  return `user ${who} does not have "${what}" permission on the object referenced by paramRef`;
}

/** As Go prints the struct. */
const formatUser = ({ username, uid, groups, extra }: UserInfo): string =>
  `&{${username} ${uid} ${goPrint(groups)} ${goPrint(extra)}}`;

const formatParamKind = ({ apiVersion, kind }: v1.ParamKind): string => `&{${asString(apiVersion)} ${asString(kind)}}`;
