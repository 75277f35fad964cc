import { goQuote } from '../../apimachinery/field-error.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { approvalOf, isProtected } from './approval.ts';
import type { Approval } from './approval.ts';
import { conditionOf, withCondition } from './conditions.ts';
import type { Condition } from './conditions.ts';

/**
 * The definition with the names it may have and the conditions that follow, as the server's own controllers leave it;
 * the same object when nothing changes. `others` are the other definitions of its group, `now` is an RFC 3339 time.
 * Follows apiextensions-apiserver pkg/controller/{status,establish,apiapproval}.
 */
export function acceptNames<T extends JsonObject>(definition: T, others: readonly JsonObject[], now: string): T {
  const spec = asObject(definition['spec']);
  const status = asObject(definition['status']);
  let next = sameNames(asObject(spec['names']), asObject(status['acceptedNames']))
    ? status
    : withNames(status, asObject(spec['names']), takenNames([definition, ...others]), now);
  if (isProtected(asString(spec['group']))) next = withCondition(next, approvalCondition(approvalOf(definition)), now);
  if (
    conditionOf(next, 'NamesAccepted')?.['status'] === 'True' &&
    conditionOf(next, 'Established')?.['status'] !== 'True'
  ) {
    next = withCondition(next, established, now);
  }
  return sameJson(next, status) ? definition : { ...definition, status: next };
}

const established: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

const notAccepted: Condition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

const noConflicts: Condition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};

/** A list that is empty is as none. */
const sameNames = (a: JsonObject, b: JsonObject): boolean => sameJson(withoutEmpty(a), withoutEmpty(b));

const withoutEmpty = (names: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(names).filter(([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0)),
  );

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function takenNames(definitions: readonly JsonObject[]): Taken {
  const names = definitions.map((one) => asObject(asObject(one['status'])['acceptedNames']));
  return {
    resources: new Set(
      names.flatMap((one) => [asString(one['plural']), asString(one['singular']), ...shortNames(one)]),
    ),
    kinds: new Set(names.flatMap((one) => [asString(one['kind']), asString(one['listKind'])])),
  };
}

const shortNames = (names: JsonObject): readonly string[] => asList(names['shortNames']).map(asString);

/** In this order; the reason of the last conflict is told. */
const singleNames = [
  ['plural', 'PluralConflict', 'resources'],
  ['singular', 'SingularConflict', 'resources'],
  ['shortNames', 'ShortNamesConflict', 'resources'],
  ['kind', 'KindConflict', 'kinds'],
  ['listKind', 'ListKindConflict', 'kinds'],
] as const;

const inUse = (name: string): string => `${goQuote(name)} is already in use`;

function withNames(status: JsonObject, requested: JsonObject, taken: Taken, now: string): JsonObject {
  const accepted = asObject(status['acceptedNames']);
  const names: Record<string, JsonValue | undefined> = { ...accepted };
  let condition = noConflicts;
  for (const [field, reason, kind] of singleNames) {
    const conflict =
      field === 'shortNames'
        ? shortConflict(requested, accepted, taken)
        : conflictOf(requested[field], accepted[field], taken[kind]);
    if (conflict === undefined) names[field] = requested[field];
    else condition = { type: 'NamesAccepted', status: 'False', reason, message: conflict };
  }
  names['categories'] = requested['categories'];
  const next = withCondition({ ...status, acceptedNames: orderedNames(names) }, condition, now);
  return conditionOf(next, 'Established') === undefined && condition.status === 'False'
    ? withCondition(next, notAccepted, now)
    : next;
}

function conflictOf(
  requested: JsonValue | undefined,
  accepted: JsonValue | undefined,
  taken: ReadonlySet<string>,
): string | undefined {
  const name = asString(requested);
  return name === asString(accepted) || !taken.has(name) ? undefined : inUse(name);
}

function shortConflict(requested: JsonObject, accepted: JsonObject, { resources }: Taken): string | undefined {
  const own = shortNames(accepted);
  const conflicts = shortNames(requested).filter((name) => !own.includes(name) && resources.has(name));
  const texts = [...new Set(conflicts.map(inUse))];
  return texts.length > 1 ? `[${texts.join(', ')}]` : texts[0];
}

const order = ['plural', 'singular', 'shortNames', 'kind', 'listKind', 'categories'];

/** In Go's order; plural and kind are printed even when they are empty. */
function orderedNames(names: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = order.flatMap((field) => {
    const value = names[field];
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) return [[field, value] as const];
    return field === 'plural' || field === 'kind' ? [[field, ''] as const] : [];
  });
  return Object.fromEntries(entries);
}

const approvals: Readonly<Record<Approval['state'], readonly [status: string, reason: string]>> = {
  invalid: ['False', 'InvalidAnnotation'],
  missing: ['False', 'MissingAnnotation'],
  approved: ['True', 'ApprovedAnnotation'],
  bypassed: ['False', 'UnapprovedAnnotation'],
};

function approvalCondition({ state, reason: message }: Approval): Condition {
  const [status, reason] = approvals[state];
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason, message };
}
