import { sameJson } from '../../machinery/json/json-equal.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import {
  acceptedNames,
  caBundleOf,
  type DefinitionCondition,
  conditionOf,
  definitionGroup,
  isConditionTrue,
  type Names,
  requestedNames,
  withAcceptedNames,
  withDefinitionCondition,
} from './definition.ts';

export interface EstablishPorts {
  /** RFC 3339. */
  readonly time: string;
  /** '' for valid certificates or none. */
  readonly caBundleError: (caBundle: string) => string;
}

/**
 * Sets accepted names and conditions; the same object if nothing changes. `group`: all definitions of the group.
 * Follows apiextensions-apiserver pkg/controller/status/naming_controller.go and
 * pkg/controller/establish/establishing_controller.go.
 */
export function acceptNames(
  definition: KubernetesObject,
  group: readonly KubernetesObject[],
  { time, caBundleError }: EstablishPorts,
): KubernetesObject {
  const establishment = caBundleError(caBundleOf(definition)) === '' ? initialNames : invalidCaBundle;
  const named = withNames(definition, group, { time, establishment });
  const approval = approvalCondition(definition);
  return approval && !isSame(named, approval) ? withDefinitionCondition(named, approval, time) : named;
}

/** `acceptNames` would return the same object. */
export function isAccepted(definition: KubernetesObject): boolean {
  const approval = approvalCondition(definition);
  return (
    isConditionTrue(definition, 'Established') &&
    sameNames(requestedNames(definition), acceptedNames(definition)) &&
    (approval === undefined || isSame(definition, approval))
  );
}

interface Establishing {
  readonly time: string;
  readonly establishment: DefinitionCondition;
}

function withNames(
  definition: KubernetesObject,
  group: readonly KubernetesObject[],
  establishing: Establishing,
): KubernetesObject {
  const { time, establishment } = establishing;
  const wanted = requestedNames(definition);
  const accepted = acceptedNames(definition);
  const isEstablished = isConditionTrue(definition, 'Established');
  if (sameNames(wanted, accepted)) return isEstablished ? definition : establish(definition, establishing);
  const { names, conflict } = accept(wanted, accepted, collectTaken(group));
  const condition = conflict ?? noConflicts;
  if (sameNames(names, accepted) && isSame(definition, condition)) return definition;
  const next = withDefinitionCondition(withAcceptedNames(definition, names), condition, time);
  if (isEstablished) return next;
  return conflict
    ? withDefinitionCondition(next, notAccepted, time)
    : withDefinitionCondition(next, establishment, time);
}

/** The status endpoint may set accepted names before their conditions. */
const establish = (definition: KubernetesObject, { time, establishment }: Establishing): KubernetesObject =>
  isConditionTrue(definition, 'NamesAccepted') && !isSame(definition, establishment)
    ? withDefinitionCondition(definition, establishment, time)
    : definition;

const noConflicts: DefinitionCondition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};

const notAccepted: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
};

const initialNames: DefinitionCondition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

const invalidCaBundle: DefinitionCondition = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};

interface Taken {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

function collectTaken(group: readonly KubernetesObject[]): Taken {
  const all = group.map(acceptedNames);
  return {
    resources: new Set(all.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...shortNames])),
    kinds: new Set(all.flatMap(({ kind, listKind }) => [kind, listKind])),
  };
}

interface AcceptedNames {
  readonly names: Names;
  readonly conflict: DefinitionCondition | undefined;
}

/** Names are accepted one by one; a conflicting one keeps its old value. */
function accept(wanted: Names, accepted: Names, { resources, kinds }: Taken): AcceptedNames {
  const clashes: (readonly [reason: string, message: string])[] = [];
  const choose = (name: 'plural' | 'singular' | 'kind' | 'listKind', reason: string, taken: ReadonlySet<string>) => {
    if (wanted[name] === accepted[name] || !taken.has(wanted[name])) return wanted[name];
    clashes.push([reason, inUse(wanted[name])]);
    return accepted[name];
  };
  const plural = choose('plural', 'PluralConflict', resources);
  const singular = choose('singular', 'SingularConflict', resources);
  const shortNames = chooseShort(wanted, accepted, resources, clashes);
  const kind = choose('kind', 'KindConflict', kinds);
  const listKind = choose('listKind', 'ListKindConflict', kinds);
  const last = clashes.at(-1);
  return {
    names: { plural, singular, shortNames, kind, listKind, categories: wanted.categories },
    conflict: last && { type: 'NamesAccepted', status: 'False', reason: last[0], message: last[1] },
  };
}

function chooseShort(
  wanted: Names,
  accepted: Names,
  taken: ReadonlySet<string>,
  clashes: (readonly [reason: string, message: string])[],
): readonly string[] {
  const own = new Set(accepted.shortNames);
  const clashing = [...new Set(wanted.shortNames.filter((name) => !own.has(name) && taken.has(name)))];
  if (clashing.length === 0) return wanted.shortNames;
  const messages = clashing.map(inUse);
  clashes.push(['ShortNamesConflict', messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`]);
  return accepted.shortNames;
}

const inUse = (name: string): string => `${goQuote(name)} is already in use`;

const sameNames = (a: Names, b: Names): boolean => sameJson({ ...a }, { ...b });

function isSame(definition: KubernetesObject, { type, status, reason, message }: DefinitionCondition): boolean {
  const existing = conditionOf(definition, type);
  return existing?.['status'] === status && existing['reason'] === reason && existing['message'] === message;
}

const annotation = 'api-approved.kubernetes.io';
const communityGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;
const demand = `protected groups must have approval annotation ${goQuote(annotation)}`;
const guide = 'see https://github.com/kubernetes/enhancements/pull/1111';
/** A scheme and a host, without spaces. */
const addressWithHost = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#]\S*$/i;

/**
 * undefined outside the community's groups. Follows apiextensions-apiserver pkg/controller/apiapproval and
 * pkg/apihelpers GetAPIApprovalState.
 */
export function approvalCondition(definition: KubernetesObject): DefinitionCondition | undefined {
  if (!communityGroup.test(definitionGroup(definition))) return undefined;
  const text = metadataOf(definition).annotations?.[annotation] ?? '';
  if (text === '') return conformanceCondition('False', 'MissingAnnotation', `${demand}, ${guide}`);
  if (text.startsWith('unapproved'))
    return conformanceCondition('False', 'UnapprovedAnnotation', `not approved: ${goQuote(text)}`);
  if (addressWithHost.test(text)) return conformanceCondition('True', 'ApprovedAnnotation', `approved in ${text}`);
  const wrong = `${demand} with either a URL or a reason starting with "unapproved", ${guide}`;
  return conformanceCondition('False', 'InvalidAnnotation', wrong);
}

const conformanceCondition = (
  status: DefinitionCondition['status'],
  reason: string,
  message: string,
): DefinitionCondition => ({
  type: 'KubernetesAPIApprovalPolicyConformant',
  status,
  reason,
  message,
});
