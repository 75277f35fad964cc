import { valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { ageOf, nameOf, objectsAt, textAt } from './cell.ts';
import type { Cells } from './cell.ts';
import { humanDuration } from '../../../machinery/go/human-duration.ts';

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
