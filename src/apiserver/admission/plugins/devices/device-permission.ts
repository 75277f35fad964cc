import { forbiddenField, internalFieldError } from '../../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../../machinery/meta/field-error.ts';
import type { ClusterView } from '../../../../machinery/meta/cluster-view.ts';
import { asList } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';
import type { Authorize, ResourceQuestion } from '../../../auth/authorizer.ts';
import type {
  DeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../../../../api/types/generated/resource-v1.ts';
import { statusPermissionErrors } from './claim-status-permission.ts';

export interface DevicePermissionPorts {
  readonly authorize: Authorize;
  readonly cluster: Pick<ClusterView, 'get'>;
  /** The minor release: 36 of 1.36. */
  readonly release: number;
}

/** A claim or a template of claims about to be stored. */
export interface DeviceWrite {
  /** What the writer asks for. */
  readonly question: Omit<ResourceQuestion, 'type'>;
  readonly object: KubernetesObject;
  /** undefined for a create. */
  readonly oldObject?: KubernetesObject | undefined;
}

/** Since when `exactly` is where requests have what they ask for. */
const exactSince = 34;

/**
 * Who asks for access as an administrator must be in a namespace that allows it, and who writes a status needs more
 * than that right. Follows kubernetes pkg/registry/resource/utils.go and resourceclaim/strategy.go.
 */
export async function devicePermissionErrors(
  write: DeviceWrite,
  ports: DevicePermissionPorts,
): Promise<readonly FieldError[]> {
  if (ports.release < exactSince) return [];
  const { question, object, oldObject } = write;
  if (question.subresource === 'status') {
    return oldObject ? statusErrors(question, object, oldObject, ports) : [];
  }
  // What a claim asks for is for good.
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

async function statusErrors(
  question: DeviceWrite['question'],
  claim: ResourceClaim,
  old: ResourceClaim,
  ports: DevicePermissionPorts,
): Promise<readonly FieldError[]> {
  const [wanted, granted] = [adminResult(claim), adminResult(old)];
  const path = `status.allocation.devices.results[${wanted}].adminAccess`;
  return [
    ...(granted >= 0 || wanted < 0 ? [] : namespaceErrors(path, claim, ports)),
    ...(ports.release < 36 ? [] : await statusPermissionErrors({ question, claim, old }, ports.authorize)),
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
