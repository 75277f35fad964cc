import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import { goSelector } from '../../../machinery/selectors/label-selector.ts';
import {
  ageOf,
  booleanCell,
  type Cells,
  cells,
  conditionStatus,
  isBeingDeleted,
  nameAndAge,
  nameOf,
  numberCell,
  numberAt,
  objectsAt,
  type Printers,
  scalarCell,
  sizeCell,
  sizeAt,
  textCell,
  textAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

/** RoleBinding and ClusterRoleBinding. */
const roleBindingCells = cells(
  nameOf,
  (binding) => `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`,
  ageOf,
  (binding) => subjects(binding, 'User', ({ name }) => name),
  (binding) => subjects(binding, 'Group', ({ name }) => name),
  (binding) => subjects(binding, 'ServiceAccount', ({ namespace, name }) => `${namespace}/${name}`),
);

interface Subject {
  readonly namespace: string;
  readonly name: string;
}

/** Follows kubernetes pkg/apis/rbac/helpers.go SubjectsStrings. */
const subjects = (binding: JsonObject, kind: string, print: (subject: Subject) => string): string =>
  objectsAt(binding, 'subjects')
    .filter((subject) => subject['kind'] === kind)
    .map((subject) => print({ namespace: textAt(subject, 'namespace'), name: textAt(subject, 'name') }))
    .join(', ');

function requestedDuration(request: JsonObject): string {
  const seconds = valueAt(request, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

function signingStatus(request: JsonObject): string {
  const types = new Set(objectsAt(request, 'status', 'conditions').map(({ type }) => type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${textAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

function paramKind(policy: JsonObject): string {
  const kind = valueAt(policy, 'spec', 'paramKind');
  return isJsonObject(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>';
}

/** Without a namespace the scope of the parameter is unknown here. */
function paramName(binding: JsonObject): string {
  const ref = valueAt(binding, 'spec', 'paramRef');
  const name = textAt(ref, 'name');
  if (name !== '') return `${textAt(ref, 'namespace') || '*'}/${name}`;
  const selector = valueAt(ref, 'selector');
  return isJsonObject(selector) ? goSelector(selector) : '<unset>';
}

const priorityLevelCells: Cells = (object, now) => {
  const limited = valueAt(object, 'spec', 'limited');
  const queuing = valueAt(limited, 'limitResponse', 'queuing');
  const orNone = (holder: JsonValue | undefined, field: string): JsonValue =>
    isJsonObject(holder) ? numberAt(holder, field) : '<none>';
  return [
    nameOf(object),
    textAt(object, 'spec', 'type'),
    isJsonObject(limited) ? (valueAt(limited, 'nominalConcurrencyShares') ?? null) : '<none>',
    orNone(queuing, 'queues'),
    orNone(queuing, 'handSize'),
    orNone(queuing, 'queueLengthLimit'),
    ageOf(object, now),
  ];
};

function claimState(claim: JsonObject): string {
  const deleted = isBeingDeleted(claim) ? ['deleted'] : [];
  if (!isJsonObject(valueAt(claim, 'status', 'allocation'))) return deleted[0] ?? 'pending';
  const reserved = sizeAt(claim, 'status', 'reservedFor') > 0 ? ['reserved'] : [];
  return [...deleted, 'allocated', ...reserved].join(',');
}

/** Follows kube-aggregator pkg/registry/apiservice/etcd/etcd.go ConvertToTable. */
function serviceOf(apiService: JsonObject): string {
  const service = valueAt(apiService, 'spec', 'service');
  return isJsonObject(service) ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local';
}

function availability(apiService: JsonObject): string {
  const available = objectsAt(apiService, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  const status = textAt(available, 'status');
  return status === 'True' ? status : `${status} (${textAt(available, 'reason')})`;
}

const webhookConfigurationCells = cells(nameOf, sizeCell('webhooks'), ageOf);
const policyBindingCells = cells(nameOf, textCell('spec.policyName'), paramName, ageOf);

export const accessPrinters: Printers = {
  'rbac.authorization.k8s.io/ClusterRoleBinding': roleBindingCells,
  'rbac.authorization.k8s.io/RoleBinding': roleBindingCells,
  'certificates.k8s.io/CertificateSigningRequest': cells(
    nameOf,
    ageOf,
    textCell('spec.signerName', '<none>'),
    textCell('spec.username'),
    requestedDuration,
    signingStatus,
  ),
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': cells(nameOf, sizeCell('spec.mutations'), paramKind, ageOf),
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': policyBindingCells,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookConfigurationCells,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': cells(
    nameOf,
    sizeCell('spec.validations'),
    paramKind,
    ageOf,
  ),
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': policyBindingCells,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookConfigurationCells,
  'flowcontrol.apiserver.k8s.io/FlowSchema': cells(
    nameOf,
    textCell('spec.priorityLevelConfiguration.name'),
    numberCell('spec.matchingPrecedence'),
    scalarCell('spec.distinguisherMethod.type', '<none>'),
    ageOf,
    (schema) => conditionStatus(schema, 'Dangling') || '?',
  ),
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': priorityLevelCells,
  'scheduling.k8s.io/PriorityClass': cells(
    nameOf,
    numberCell('value'),
    booleanCell('globalDefault'),
    ageOf,
    textCell('preemptionPolicy'),
  ),
  'coordination.k8s.io/Lease': cells(nameOf, textCell('spec.holderIdentity'), ageOf),
  'node.k8s.io/RuntimeClass': cells(nameOf, textCell('handler'), ageOf),
  'resource.k8s.io/DeviceClass': nameAndAge,
  'resource.k8s.io/ResourceClaim': cells(nameOf, claimState, ageOf),
  'resource.k8s.io/ResourceClaimTemplate': nameAndAge,
  'resource.k8s.io/ResourceSlice': cells(
    nameOf,
    textCell('spec.nodeName'),
    textCell('spec.driver'),
    textCell('spec.pool.name'),
    ageOf,
  ),
  'apiregistration.k8s.io/APIService': cells(nameOf, serviceOf, availability, ageOf),
};
