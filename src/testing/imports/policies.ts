import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  valueAt,
  withValue,
} from '../../machinery/json/json.ts';
import { objectGroup, kindOf, nameOf, namespaceOf, nonEmptyTexts, importedTitle } from './objects.ts';

export const isPolicy = (object: JsonObject): boolean =>
  objectGroup(object) === 'admissionregistration.k8s.io' &&
  /^(?:Validat|Mutat)ingAdmissionPolicy(?:Binding)?$/.test(kindOf(object));

export const isBinding = (object: JsonObject): boolean => isPolicy(object) && kindOf(object).endsWith('Binding');

export const expressionsOf = ({ spec }: JsonObject): readonly string[] =>
  ['matchConditions', 'variables', 'validations', 'mutations']
    .flatMap((field) => asList(asObject(spec)[field]).map(asObject))
    .flatMap((part) => [part, asObject(part['jsonPatch']), asObject(part['applyConfiguration'])])
    .flatMap(({ expression }) => (typeof expression === 'string' ? [expression] : []));

/** v1 has the same fields. */
export function convertToV1(object: JsonObject, notes: string[]): JsonObject {
  const version = asString(object['apiVersion']);
  if (!isPolicy(object) || version === 'admissionregistration.k8s.io/v1') return object;
  notes.push(`${importedTitle(object)} is written in ${version}: carried over in v1`);
  return { ...object, apiVersion: 'admissionregistration.k8s.io/v1' };
}

/** Adds the bindings and actions that v1 requires and expression testers do not. */
export function bindPolicies(
  policies: readonly JsonObject[],
  params: readonly JsonObject[],
  notes: string[],
): readonly JsonObject[] {
  const bindings = policies.filter(isBinding).map((binding) => withActions(binding, notes));
  const definitions = policies.filter((one) => !isBinding(one));
  const bound = new Set(
    bindings.map((binding) => `${kindOf(binding)}/${asString(valueAt(binding, 'spec', 'policyName'))}`),
  );
  const added = definitions
    .filter((policy) => !bound.has(`${kindOf(policy)}Binding/${nameOf(policy)}`))
    .map((policy) => createBinding(policy, params, notes));
  return [...definitions, ...[...bindings, ...added].map((one) => withParamNamespace(one, params))];
}

function withActions(binding: JsonObject, notes: string[]): JsonObject {
  const isValidating = kindOf(binding) === 'ValidatingAdmissionPolicyBinding';
  if (!isValidating || asList(valueAt(binding, 'spec', 'validationActions')).length > 0) return binding;
  notes.push(`${importedTitle(binding)} has no validationActions, which a server refuses: [Deny] is added`);
  return withValue(binding, ['spec', 'validationActions'], ['Deny']);
}

function createBinding(policy: JsonObject, params: readonly JsonObject[], notes: string[]): JsonObject {
  notes.push(
    `${importedTitle(policy)} has no binding and would never be evaluated; a binding that matches everything was added`,
  );
  const paramKind = valueAt(policy, 'spec', 'paramKind');
  const param = isJsonObject(paramKind) ? params.find((one) => kindOf(one) === paramKind['kind']) : undefined;
  const isValidating = kindOf(policy) === 'ValidatingAdmissionPolicy';
  return {
    apiVersion: asString(policy['apiVersion']),
    kind: `${kindOf(policy)}Binding`,
    metadata: { name: `${nameOf(policy)}-everywhere` },
    spec: {
      policyName: nameOf(policy),
      ...(isValidating ? { validationActions: ['Deny'] } : {}),
      ...(param ? { paramRef: { name: nameOf(param), parameterNotFoundAction: 'Deny' } } : {}),
    },
  };
}

/** A paramRef without a namespace means the namespace of the request; a test has its parameters in one place. */
function withParamNamespace(binding: JsonObject, params: readonly JsonObject[]): JsonObject {
  const ref = valueAt(binding, 'spec', 'paramRef');
  if (!isJsonObject(ref)) return binding;
  const found = params.find((one) => nameOf(one) === ref['name']);
  const complete = ref['parameterNotFoundAction'] === undefined ? { ...ref, parameterNotFoundAction: 'Deny' } : ref;
  const isElsewhere = found !== undefined && ref['namespace'] === undefined && found['kind'] === 'ConfigMap';
  return withValue(
    binding,
    ['spec', 'paramRef'],
    isElsewhere ? { ...complete, namespace: namespaceOf(found) || 'default' } : complete,
  );
}

export function validationActions(policy: string, load: readonly JsonObject[]): readonly string[] {
  const bindings = load.filter((one) => isBinding(one) && valueAt(one, 'spec', 'policyName') === policy);
  return bindings.flatMap((one) => nonEmptyTexts(valueAt(one, 'spec', 'validationActions')));
}

/** The expectation for a request that violates the policy, by the actions of its bindings. */
export function failureExpectation(policy: string, load: readonly JsonObject[], message?: string): JsonObject {
  const actions = validationActions(policy, load);
  const text = message === undefined ? {} : { message: { contains: message } };
  if (actions.includes('Deny')) return { deniedBy: `policy/${policy}`, ...text };
  if (actions.includes('Warn')) return { warnings: [{ contains: message ?? `ValidatingAdmissionPolicy '${policy}'` }] };
  return { auditAnnotations: { 'validation.policy.admission.k8s.io/validation_failure': { contains: policy } } };
}
