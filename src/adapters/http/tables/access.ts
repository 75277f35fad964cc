import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../../machinery/json/json.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';
import { goSelector } from '../../../machinery/selectors/label-selector.ts';
import {
  ageOf,
  booleanAt,
  type Cells,
  isBeingDeleted,
  nameOf,
  numberAt,
  objectsAt,
  scalarAt,
  sizeAt,
  textAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

/** RoleBinding and ClusterRoleBinding. */
export const roleBindingCells: Cells = (object, now) => [
  nameOf(object),
  `${textAt(object, 'roleRef', 'kind')}/${textAt(object, 'roleRef', 'name')}`,
  ageOf(object, now),
  subjects(object, 'User')
    .map(({ name }) => name)
    .join(', '),
  subjects(object, 'Group')
    .map(({ name }) => name)
    .join(', '),
  subjects(object, 'ServiceAccount')
    .map(({ namespace, name }) => `${namespace}/${name}`)
    .join(', '),
];

interface Subject {
  readonly namespace: string;
  readonly name: string;
}

/** Follows kubernetes pkg/apis/rbac/helpers.go SubjectsStrings. */
const subjects = (binding: JsonObject, kind: string): readonly Subject[] =>
  objectsAt(binding, 'subjects')
    .filter((subject) => subject['kind'] === kind)
    .map((subject) => ({ namespace: textAt(subject, 'namespace'), name: textAt(subject, 'name') }));

export const certificateSigningRequestCells: Cells = (object, now) => [
  nameOf(object),
  ageOf(object, now),
  textAt(object, 'spec', 'signerName') || '<none>',
  textAt(object, 'spec', 'username'),
  requestedDuration(valueAt(object, 'spec', 'expirationSeconds')),
  signingStatus(object),
];

const requestedDuration = (seconds: JsonValue | undefined): string =>
  typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';

function signingStatus(request: JsonObject): string {
  const types = new Set(objectsAt(request, 'status', 'conditions').map(({ type }) => type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${textAt(request, 'status', 'certificate') === '' ? '' : ',Issued'}`;
}

// Follows kubernetes pkg/printers/internalversion/printers.go.

/** Both kinds of webhook configuration. */
export const webhookConfigurationCells: Cells = (object, now) => [
  nameOf(object),
  sizeAt(object, 'webhooks'),
  ageOf(object, now),
];

export const validatingPolicyCells: Cells = (object, now) => [
  nameOf(object),
  sizeAt(object, 'spec', 'validations'),
  paramKind(object),
  ageOf(object, now),
];

export const mutatingPolicyCells: Cells = (object, now) => [
  nameOf(object),
  sizeAt(object, 'spec', 'mutations'),
  paramKind(object),
  ageOf(object, now),
];

function paramKind(policy: JsonObject): string {
  const kind = valueAt(policy, 'spec', 'paramKind');
  return isJsonObject(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>';
}

/** Both kinds of policy binding. */
export const policyBindingCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'policyName'),
  paramName(valueAt(object, 'spec', 'paramRef')),
  ageOf(object, now),
];

/** Without a namespace the scope of the parameter is unknown here. */
function paramName(ref: JsonValue | undefined): string {
  const name = textAt(ref, 'name');
  if (name !== '') return `${textAt(ref, 'namespace') || '*'}/${name}`;
  const selector = valueAt(ref, 'selector');
  return isJsonObject(selector) ? goSelector(selector) : '<unset>';
}

// Follows kubernetes pkg/printers/internalversion/printers.go.

export const flowSchemaCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'priorityLevelConfiguration', 'name'),
  numberAt(object, 'spec', 'matchingPrecedence'),
  scalarAt(object, ['spec', 'distinguisherMethod', 'type'], '<none>'),
  ageOf(object, now),
  textAt(
    objectsAt(object, 'status', 'conditions').find(({ type }) => type === 'Dangling'),
    'status',
  ) || '?',
];

export const priorityLevelCells: Cells = (object, now) => {
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

// Follows kubernetes pkg/printers/internalversion/printers.go.

export const priorityClassCells: Cells = (object, now) => [
  nameOf(object),
  numberAt(object, 'value'),
  booleanAt(object, ['globalDefault']),
  ageOf(object, now),
  textAt(object, 'preemptionPolicy'),
];

export const leaseCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'holderIdentity'),
  ageOf(object, now),
];

export const runtimeClassCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'handler'),
  ageOf(object, now),
];

export const resourceClaimCells: Cells = (object, now) => [nameOf(object), claimState(object), ageOf(object, now)];

function claimState(claim: JsonObject): string {
  const deleted = isBeingDeleted(claim) ? ['deleted'] : [];
  if (!isJsonObject(valueAt(claim, 'status', 'allocation'))) return deleted[0] ?? 'pending';
  const reserved = sizeAt(claim, 'status', 'reservedFor') > 0 ? ['reserved'] : [];
  return [...deleted, 'allocated', ...reserved].join(',');
}

export const resourceSliceCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'nodeName'),
  textAt(object, 'spec', 'driver'),
  textAt(object, 'spec', 'pool', 'name'),
  ageOf(object, now),
];

/** Follows kube-aggregator pkg/registry/apiservice/etcd/etcd.go ConvertToTable. */
export const apiServiceCells: Cells = (object, now) => {
  const service = valueAt(object, 'spec', 'service');
  return [
    nameOf(object),
    isJsonObject(service) ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local',
    availability(object),
    ageOf(object, now),
  ];
};

function availability(apiService: JsonObject): string {
  const available = objectsAt(apiService, 'status', 'conditions').find(({ type }) => type === 'Available');
  if (available === undefined) return 'Unknown';
  const status = textAt(available, 'status');
  return status === 'True' ? status : `${status} (${textAt(available, 'reason')})`;
}
