import { asString, isJsonObject, valueAt } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { ageOf, nameOf, numberAt, objectsAt, scalarAt, sizeAt, textAt } from './cell.ts';
import type { Cells } from './cell.ts';
import { humanDuration } from './human-duration.ts';

// What `kubectl get` shows of role bindings, certificate requests and admission configurations.
// Follows kubernetes pkg/printers/internalversion/printers.go.

/** Of a RoleBinding and of a ClusterRoleBinding. */
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

/** Of both kinds of webhook configuration. */
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

/** Of both kinds of policy binding. */
export const policyBindingCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'policyName'),
  paramName(valueAt(object, 'spec', 'paramRef')),
  ageOf(object, now),
];

/** Without a namespace nobody can tell here whether the parameter has one. */
function paramName(ref: JsonValue | undefined): string {
  const name = textAt(ref, 'name');
  if (name !== '') return `${textAt(ref, 'namespace') || '*'}/${name}`;
  const selector = valueAt(ref, 'selector');
  return isJsonObject(selector) ? goSelector(selector) : '<unset>';
}

/** As Go's protobuf code prints it. Follows apimachinery pkg/apis/meta/v1/generated.pb.go. */
function goSelector(selector: JsonObject): string {
  const labels = valueAt(selector, 'matchLabels');
  const pairs = Object.entries(isJsonObject(labels) ? labels : {})
    .map(([key, value]) => `${key}: ${asString(value)},`)
    .toSorted();
  const expressions = objectsAt(selector, 'matchExpressions').map((expression) => {
    const values = valueAt(expression, 'values');
    const shown = Array.isArray(values) ? values.join(' ') : '';
    return `LabelSelectorRequirement{Key:${textAt(expression, 'key')},Operator:${textAt(expression, 'operator')},Values:[${shown}],},`;
  });
  return `&LabelSelector{MatchLabels:map[string]string{${pairs.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

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
