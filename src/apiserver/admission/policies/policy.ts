import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { readOnce } from '../../../machinery/once.ts';
import { readLabelSelector, type SelectorReading } from '../../../machinery/selectors/label-selector.ts';
import type { TypeWarning } from '../chain/outcome.ts';
import { type MatchCondition, readMatchConditions } from '../matching/match-conditions.ts';
import { type MatchResources, readMatchResources } from './match-resources.ts';

/** With every default in place. */
export interface AdmissionPolicy {
  readonly name: string;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined;
  readonly match: MatchResources;
  readonly matchConditions: readonly MatchCondition[];
  readonly variables: readonly Variable[];
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditExpression[];
  readonly mutations: readonly Mutation[];
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
  readonly definition: JsonObject;
  readonly typeWarnings: readonly TypeWarning[];
}

interface Variable {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string;
}

interface AuditExpression {
  readonly key: string;
  readonly expression: string;
}

export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

type StoredPolicy = v1.ValidatingAdmissionPolicy & v1.MutatingAdmissionPolicy;

/** Read once per stored object: after each write of a policy all are listed again, and reading 1,000 takes 10 ms. */
export const policyOf = readOnce((object: KubernetesObject): AdmissionPolicy => {
  const stored: StoredPolicy = object;
  const spec = asObject(stored.spec);
  const { paramKind } = spec;
  return {
    name: metadataOf(object).name ?? '',
    failurePolicy: spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: isJsonObject(paramKind)
      ? { apiVersion: asString(paramKind.apiVersion), kind: asString(paramKind.kind) }
      : undefined,
    match: readMatchResources(asObject(spec.matchConstraints)),
    matchConditions: readMatchConditions(spec.matchConditions),
    variables: objects(spec.variables).map(({ name, expression }) => ({
      name: asString(name),
      expression: asString(expression),
    })),
    validations: objects(spec.validations).map(readValidation),
    auditAnnotations: objects(spec.auditAnnotations).map(({ key, valueExpression }) => ({
      key: asString(key),
      expression: asString(valueExpression),
    })),
    mutations: objects(spec.mutations).map(readMutation),
    reinvocationPolicy: spec.reinvocationPolicy === 'IfNeeded' ? 'IfNeeded' : 'Never',
    definition: spec,
    typeWarnings: objects(asObject(asObject(stored.status).typeChecking).expressionWarnings).map(
      ({ fieldRef, warning }) => ({ fieldRef: asString(fieldRef), warning: asString(warning) }),
    ),
  };
});

const objects = <T extends JsonObject>(list: readonly T[] | undefined) => asList(list).map((item) => asObject(item));

const readValidation = ({ expression, message, messageExpression, reason }: v1.Validation): Validation => ({
  expression: asString(expression),
  message: trimSpace(asString(message)),
  messageExpression: asString(messageExpression),
  reason: asString(reason),
});

function readMutation({ patchType, applyConfiguration, jsonPatch }: v1.Mutation): Mutation {
  const chosen = patchType === 'JSONPatch' ? jsonPatch : applyConfiguration;
  return {
    patchType: patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration',
    expression: asString(asObject(chosen).expression),
  };
}

export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  readonly match: MatchResources | undefined;
  readonly validationActions: readonly string[];
  readonly definition: JsonObject;
}

export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: SelectorReading;
  readonly parameterNotFoundAction: string;
}

export const bindingOf = readOnce((object: KubernetesObject): Binding => {
  const stored: v1.ValidatingAdmissionPolicyBinding = object;
  const spec = asObject(stored.spec);
  const { paramRef, matchResources } = spec;
  return {
    name: metadataOf(object).name ?? '',
    policyName: asString(spec.policyName),
    paramRef: isJsonObject(paramRef) ? readParamRef(paramRef) : undefined,
    match: isJsonObject(matchResources) ? readMatchResources(matchResources) : undefined,
    validationActions: asList(spec.validationActions).map(asString),
    definition: spec,
  };
});

const readParamRef = ({ name, namespace, selector, parameterNotFoundAction }: v1.ParamRef): ParamRef => ({
  name: asString(name),
  namespace: asString(namespace),
  selector: readLabelSelector(selector),
  parameterNotFoundAction: asString(parameterNotFoundAction),
});
