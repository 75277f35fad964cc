import { gvkText, parseApiVersion } from '../../apimachinery/gvk.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import type { checkTypes } from '../../cel/admission/type-check.ts';
import type { TypedSubject } from '../../cel/admission/type-check.ts';
import { dynType } from '../../cel/check/type.ts';
import type { Type } from '../../cel/check/type.ts';
import type { Catalogue } from '../../schema/catalogue/catalogue.ts';
import { typeOfKind } from '../../schema/types/builtin-types.ts';
import type { Rule } from '../matching/rule.ts';
import { declaredFields, declaredType } from './declared-types.ts';
import { policyOf } from './policy.ts';
import type { Policy } from './policy.ts';

export interface TypeWarningPorts {
  readonly catalogue: Catalogue;
  readonly checkTypes: typeof checkTypes;
}

const mostKinds = 10;

/**
 * `status.typeChecking.expressionWarnings` of a ValidatingAdmissionPolicy: what its validations and their messages would
 * get wrong about the kinds that its rules name. Follows apiserver pkg/admission/plugin/policy/validating/typechecking.go
 * (rule VAP-37).
 */
export function typeWarnings(object: KubernetesObject, ports: TypeWarningPorts): readonly JsonObject[] {
  const policy = policyOf(object);
  const subjects = kindsOf(policy, ports.catalogue).flatMap((kind) => subjectOf(kind, policy, ports));
  const warn = (expression: string, fieldRef: string): readonly JsonObject[] => {
    const issues = subjects.flatMap(({ kind, subject }) => {
      const found = ports.checkTypes(expression, subject).issues;
      return found === undefined ? [] : [`${gvkText(kind)}: ${found}\n`];
    });
    return issues.length === 0 ? [] : [{ fieldRef, warning: issues.join('\n') }];
  };
  return policy.validations.flatMap(({ expression, messageExpression }, index) => [
    ...warn(expression, `spec.validations[${index}].expression`),
    ...(messageExpression === '' ? [] : warn(messageExpression, `spec.validations[${index}].messageExpression`)),
  ]);
}

interface Subject {
  readonly kind: GroupVersionKind;
  readonly subject: TypedSubject;
}

function subjectOf(
  kind: GroupVersionKind,
  { paramKind, variables }: Policy,
  { checkTypes: check }: TypeWarningPorts,
): readonly Subject[] {
  const name = typeOfKind(kind);
  if (name === undefined) return [];
  const params = paramKind && typeOfKind({ ...parseApiVersion(paramKind.apiVersion), kind: paramKind.kind });
  const types = new Map<string, Type>();
  const subject: TypedSubject = {
    object: declaredType(name),
    params: params === undefined ? undefined : declaredType(params),
    structs: declaredFields,
    variables: types,
  };
  // A variable that does not compile can be anything.
  for (const variable of variables) types.set(variable.name, check(variable.expression, subject).type ?? dynType);
  return [{ kind, subject }];
}

/** Rules with a wildcard in group or version name no kinds, and subresources are left out. */
function kindsOf({ match }: Policy, catalogue: Catalogue): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of match.resourceRules) {
    for (const kind of kindsIn(rule, catalogue).slice(0, mostKinds)) found.set(gvkText(kind), kind);
    if (found.size >= mostKinds) break;
  }
  return [...found.values()]
    .slice(0, mostKinds)
    .toSorted((a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind));
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const isWild = (text: string): boolean => text.includes('*');

function kindsIn({ apiGroups, apiVersions, resources }: Rule, catalogue: Catalogue): readonly GroupVersionKind[] {
  if (apiGroups.some(isWild) || apiVersions.some(isWild)) return [];
  const plain = resources.filter((resource) => !isWild(resource) && !resource.includes('/')).toSorted();
  return apiGroups
    .toSorted()
    .flatMap((group) =>
      apiVersions
        .toSorted()
        .flatMap((version) =>
          plain.flatMap((resource) => catalogue.find({ group, version, resource }, '')?.kind ?? []),
        ),
    );
}
