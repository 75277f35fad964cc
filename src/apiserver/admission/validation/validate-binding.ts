import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1123Subdomain, pathSegmentName } from '../../../machinery/meta/names.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { duplicateIndexes } from '../../../machinery/lists.ts';
import { validateLabelSelector } from '../../../api/validation/meta/labels.ts';
import { validateMatchResources, supportedValueErrors } from './validate-match-rules.ts';
import { validateMutatingOperations } from './validate-mutating-policy.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

/**
 * Mutating bindings have no actions. Follows kubernetes pkg/apis/admissionregistration/validation/validation.go (rules
 * CFG-78 to CFG-80).
 */
export function validatePolicyBinding(binding: KubernetesObject): readonly FieldError[] {
  const typed: v1.ValidatingAdmissionPolicyBinding = binding;
  const { policyName, paramRef, matchResources, validationActions } = asObject(typed.spec);
  return [
    ...validatePolicyName(asString(policyName), 'spec.policyName'),
    ...(isJsonObject(paramRef) ? validateParamRef(paramRef, 'spec.paramRef') : []),
    ...(isJsonObject(matchResources) ? validateMatchResources(matchResources, 'spec.matchResources') : []),
    ...(binding.kind === 'ValidatingAdmissionPolicyBinding'
      ? validateActions(validationActions, 'spec.validationActions')
      : validateMutatingOperations(asObject(matchResources), 'spec.matchResources')),
  ];
}

function validatePolicyName(name: string, path: string): readonly FieldError[] {
  if (name === '') return [required(path, '')];
  return dns1123Subdomain(name).map((error) => invalidValue(path, name, error));
}

function validateParamRef(paramRef: v1.ParamRef, path: string): readonly FieldError[] {
  const { selector } = paramRef;
  const [name, action] = [asString(paramRef.name), asString(paramRef.parameterNotFoundAction)];
  return [
    ...validateParamName(name, selector, path),
    ...(isJsonObject(selector) ? validateLabelSelector(selector, `${path}.selector`) : []),
    ...(isJsonObject(selector) && name !== '' ? [forbiddenField(`${path}.selector`, exclusive)] : []),
    ...validateParamAction(action, `${path}.parameterNotFoundAction`),
  ];
}

function validateParamAction(action: string, path: string): readonly FieldError[] {
  if (action === '') return [required(path, '')];
  return paramActions.includes(action) ? [] : [notSupported(path, action, paramActions)];
}

const paramActions = ['Deny', 'Allow'];
const exclusive = 'name and selector are mutually exclusive';

function validateParamName(name: string, selector: JsonValue | undefined, path: string): readonly FieldError[] {
  if (name === '') {
    return isJsonObject(selector) ? [] : [required(path, 'one of name or selector must be specified')];
  }
  return [
    ...pathSegmentName(name).map((error) => invalidValue(`${path}.name`, name, error)),
    ...(isJsonObject(selector) ? [forbiddenField(`${path}.name`, exclusive)] : []),
  ];
}

const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

function validateActions(value: JsonValue | undefined, path: string): readonly FieldError[] {
  const actions = asList(value).map(asString);
  const repeats = duplicateIndexes(actions);
  return [
    ...actions.flatMap((action, index) => [
      ...supportedValueErrors(action, `${path}[${index}]`, ['Audit', 'Deny', 'Warn']),
      ...(repeats.has(index) ? [duplicate(`${path}[${index}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalidValue(path, actions, denyAndWarn)] : []),
    ...(actions.length === 0 ? [required(path, 'at least one validation action is required')] : []),
  ];
}
