import { supportedValueErrors } from './validate-match-rules.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { type FieldError, invalidValue, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import {
  type CompileExpression,
  createPolicyExpressions,
  type PolicyExpressions,
  storedTexts,
} from './policy-expressions.ts';
import { oneOfRequired, validatePolicySpec } from './validate-policy.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

/**
 * Validates the spec. Follows kubernetes pkg/apis/admissionregistration/validation/validation.go (rules CFG-81,
 * CFG-82).
 */
export function validateMutatingPolicy(
  policy: KubernetesObject,
  compile?: CompileExpression,
  old?: KubernetesObject,
): readonly FieldError[] {
  const typed: v1.MutatingAdmissionPolicy = policy;
  const spec = asObject(typed.spec);
  const expressions = createPolicyExpressions(compile, {
    params: isJsonObject(spec.paramKind),
    hasVariables: true, // Known to mutations even when there are none.
    storedTexts: storedTexts(old),
  });
  const mutations = asList(spec.mutations);
  return [
    ...validatePolicySpec(
      spec,
      expressions,
      validateMutatingOperations(asObject(spec.matchConstraints), 'spec.matchConstraints'),
    ),
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((mutation, index) =>
      validateMutation(asObject(mutation), `spec.mutations[${index}]`, expressions),
    ),
    ...oneOfRequired(spec.reinvocationPolicy, 'spec.reinvocationPolicy', ['IfNeeded', 'Never']),
  ];
}

const operations = ['*', 'CONNECT', 'CREATE', 'UPDATE'] as const;

/** DELETE is not allowed; the path has no index. Also for `matchResources` of a binding. */
export const validateMutatingOperations = (match: v1.MatchResources, path: string): readonly FieldError[] =>
  asList(match.resourceRules).flatMap((rule) =>
    asList(asObject(rule).operations).flatMap((operation) =>
      supportedValueErrors(asString(operation), `${path}.resourceRules.operations`, operations),
    ),
  );

const members = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;
const results = { ApplyConfiguration: 'Object', JSONPatch: 'list(JSONPatch)' } as const;

function validateMutation(mutation: v1.Mutation, path: string, expressions: PolicyExpressions): readonly FieldError[] {
  const { patchType } = mutation;
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch') {
    return oneOfRequired(patchType, `${path}.patchType`, ['ApplyConfiguration', 'JSONPatch']);
  }
  const [member, other] = [members[patchType], members[patchType === 'JSONPatch' ? 'ApplyConfiguration' : 'JSONPatch']];
  const chosen = mutation[member];
  const text = asString(asObject(chosen).expression);
  return [
    ...(isJsonObject(chosen)
      ? validateExpression(text, `${path}.${member}.expression`, results[patchType], expressions)
      : [required(`${path}.${member}`, `must be specified when patchType is ${patchType}`)]),
    ...(isJsonObject(mutation[other])
      ? [invalidValue(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`)]
      : []),
  ];
}

/** Trimmed before it is compiled and quoted, unlike that of validations. */
const validateExpression = (
  text: string,
  path: string,
  returns: string,
  expressions: PolicyExpressions,
): readonly FieldError[] =>
  trimSpace(text) === '' ? [required(path, '')] : expressions.check(trimSpace(text), path, [returns], { patch: true });
