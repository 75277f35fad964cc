import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequest,
  ResourceClaim,
  ResourceClaimStatus,
  ResourceClaimTemplate,
} from '../../../api/types/generated/resource-v1.ts';
import { compareTexts } from '../../../machinery/go/strings.ts';
import { goPrint } from '../../../machinery/go/go-print.ts';
import { asList } from '../../../machinery/json/json.ts';
import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { type FieldError, forbiddenField, internalFieldError } from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { semanticEqual } from '../../../machinery/meta/semantic-equal.ts';
import { type Authorize, type ResourceQuestion, forbiddenRequest } from '../../auth/authorizer.ts';
import { parseServiceAccountUsername, type UserInfo } from '../../auth/user.ts';

export interface DevicePermissionPorts {
  readonly authorize: Authorize;
  readonly cluster: Pick<ClusterView, 'get'>;
  readonly release: number;
}

export interface DeviceWrite {
  readonly question: Omit<ResourceQuestion, 'type'>;
  readonly object: KubernetesObject;
  /** undefined for a create. */
  readonly oldObject?: KubernetesObject | undefined;
}

/** The release that moved the fields of a request into `exactly`. */
const exactSince = 34;

/**
 * Admin access needs a namespace that allows it; status writes need extra permissions. Follows kubernetes
 * pkg/registry/resource/utils.go and resourceclaim/strategy.go.
 */
export function devicePermissionErrors(write: DeviceWrite, ports: DevicePermissionPorts): readonly FieldError[] {
  if (ports.release < exactSince) return [];
  const { question, object, oldObject } = write;
  if (question.subresource === 'status') {
    return oldObject ? statusErrors(question, object, oldObject, ports) : [];
  }
  if (oldObject !== undefined) return [];
  const requests = requestsOf(object);
  const index = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
  return index < 0 ? [] : namespaceErrors(`spec.devices.requests[${index}].adminAccess`, object, ports);
}

function requestsOf(object: KubernetesObject): readonly DeviceRequest[] {
  const claim: ResourceClaim = object;
  const template: ResourceClaimTemplate = object;
  return asList(
    object.kind === 'ResourceClaim' ? claim.spec?.devices?.requests : template.spec?.spec?.devices?.requests,
  );
}

function statusErrors(
  question: DeviceWrite['question'],
  claim: ResourceClaim,
  old: ResourceClaim,
  ports: DevicePermissionPorts,
): readonly FieldError[] {
  const [wanted, granted] = [adminResult(claim), adminResult(old)];
  const path = `status.allocation.devices.results[${wanted}].adminAccess`;
  return [
    ...(granted >= 0 || wanted < 0 ? [] : namespaceErrors(path, claim, ports)),
    ...(ports.release < 36 ? [] : statusPermissionErrors({ question, claim, old }, ports.authorize)),
  ];
}

const adminResult = ({ status }: ResourceClaim): number =>
  asList(status?.allocation?.devices?.results).findIndex(({ adminAccess }) => adminAccess === true);

const adminLabel = 'resource.kubernetes.io/admin-access';

function namespaceErrors(
  path: string,
  object: KubernetesObject,
  { cluster }: DevicePermissionPorts,
): readonly FieldError[] {
  const name = metadataOf(object).namespace ?? '';
  const namespace = cluster.get({ group: '', resource: 'namespaces' }, '', name);
  if (!namespace) {
    const missing = `could not retrieve namespace to verify admin access: namespaces "${name}" not found`;
    return [internalFieldError(path, missing)];
  }
  if (metadataOf(namespace).labels?.[adminLabel] === 'true') return [];
  const text = `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`;
  return [forbiddenField(path, text)];
}

interface StatusWrite {
  readonly question: Omit<ResourceQuestion, 'type'>;
  readonly claim: ResourceClaim;
  readonly old: ResourceClaim;
}

/** Follows kubernetes pkg/registry/resource/utils.go AuthorizedForBinding and AuthorizedForDeviceStatus. */
function statusPermissionErrors({ question, claim, old }: StatusWrite, authorize: Authorize): readonly FieldError[] {
  const [status, before] = [claim.status ?? {}, old.status ?? {}];
  const attributes: ResourceQuestion = { ...question, type: 'resource' };
  return [
    ...bindingErrors(attributes, status, before, authorize),
    // Deallocation also removes the status of the devices.
    ...(status.allocation ? driverErrors(attributes, status, before, authorize) : []),
  ];
}

function findDenial(question: ResourceQuestion, authorize: Authorize): string | undefined {
  const { allowed, reason } = authorize(question);
  return allowed ? undefined : forbiddenRequest(question, reason).message;
}

function bindingErrors(
  attributes: ResourceQuestion,
  status: ResourceClaimStatus,
  before: ResourceClaimStatus,
  authorize: Authorize,
): readonly FieldError[] {
  const isSame =
    semanticEqual(status.allocation ?? null, before.allocation ?? null) &&
    semanticEqual(status.reservedFor ?? [], before.reservedFor ?? []);
  if (isSame) return [];
  const refusal = findDenial({ ...attributes, subresource: 'binding', namespace: '', name: '' }, authorize);
  if (refusal === undefined) return [];
  const text = `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${attributes.verb}" permission: ${refusal}`;
  return [forbiddenField('status.allocation', text)];
}

function driverErrors(
  attributes: ResourceQuestion,
  status: ResourceClaimStatus,
  before: ResourceClaimStatus,
  authorize: Authorize,
): readonly FieldError[] {
  const drivers = changedDrivers(asList(status.devices), asList(before.devices));
  const onNode = isOnNode(attributes.user, nodeOf(status.allocation));
  const verbs = [...(onNode ? [`associated-node:${attributes.verb}`] : []), `arbitrary-node:${attributes.verb}`];
  const errors: FieldError[] = [];
  for (const name of drivers) {
    const refusals: (string | undefined)[] = [];
    for (const verb of verbs) {
      refusals.push(findDenial({ ...attributes, verb, subresource: 'driver', name }, authorize));
    }
    const [first] = refusals;
    if (first === undefined || refusals.includes(undefined)) continue;
    const text = `changing status.devices requires resource="resourceclaims/driver", verb="${goPrint(verbs)}" permission: ${first}`;
    errors.push(forbiddenField('status.devices', text));
  }
  return errors;
}

/** The drivers whose device status changed or was removed. */
function changedDrivers(
  devices: readonly AllocatedDeviceStatus[],
  before: readonly AllocatedDeviceStatus[],
): readonly string[] {
  const remaining = new Map(before.map((device) => [deviceKey(device), device]));
  const changed = devices.filter((device) => {
    const key = deviceKey(device);
    const old = remaining.get(key);
    remaining.delete(key);
    return old === undefined || !semanticEqual(old, device);
  });
  return [...new Set([...changed, ...remaining.values()].map(({ driver = '' }) => driver))].toSorted(compareTexts);
}

const deviceKey = ({ driver = '', pool = '', device = '', shareID = '' }: AllocatedDeviceStatus): string =>
  JSON.stringify([driver, pool, device, shareID]);

function nodeOf(allocation: AllocationResult | undefined): string | undefined {
  const [term, ...others] = asList(allocation?.nodeSelector?.nodeSelectorTerms);
  const [field, ...more] = asList(term?.matchFields);
  if (others.length + more.length + asList(term?.matchExpressions).length > 0) return undefined;
  const [name, ...names] = asList(field?.values);
  return field?.key === 'metadata.name' && field.operator === 'In' && names.length === 0 ? name : undefined;
}

function isOnNode({ username, extra }: UserInfo, node: string | undefined): boolean {
  const names = extra['authentication.kubernetes.io/node-name'] ?? [];
  if (!node || names.length !== 1 || names[0] !== node) return false;
  return parseServiceAccountUsername(username) !== undefined && dns1123Subdomain(node).length === 0;
}
