import { trimSpace } from '../../../machinery/go/strings.ts';
import { type FieldError, invalidValue, notSupported, required } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { dns1035Label, dns1123Subdomain } from '../../../machinery/meta/names.ts';
import type { PolicyExpressions } from './policy-expressions.ts';
import { validateMatchConditions } from './validate-match-conditions.ts';
import { validateMatchResources, supportedValueErrors } from './validate-match-rules.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

type PolicySpec = v1.ValidatingAdmissionPolicySpec | v1.MutatingAdmissionPolicySpec;

export function validatePolicySpec(
  spec: PolicySpec,
  expressions: PolicyExpressions,
  ofConstraints: readonly FieldError[] = [],
): readonly FieldError[] {
  const { failurePolicy, paramKind, matchConstraints, matchConditions } = spec;
  return [
    ...validateFailurePolicy(failurePolicy, 'spec.failurePolicy'),
    ...(isJsonObject(paramKind) ? validateParamKind(paramKind, 'spec.paramKind') : []),
    ...validateConstraints(matchConstraints, 'spec.matchConstraints'),
    ...ofConstraints,
    ...validateMatchConditions(
      matchConditions,
      'spec.matchConditions',
      (expression) => {
        const [error] = expressions.check(expression, '', ['bool'], { withoutVariables: true });
        return error && { error: error.detail };
      },
      new Set(),
    ),
    ...asList(spec.variables).flatMap((variable, index) =>
      validateVariable(asObject(variable), `spec.variables[${index}]`, expressions),
    ),
  ];
}

/** A field without default; the error lists the values sorted. */
export function oneOfRequired(
  value: JsonValue | undefined,
  path: string,
  supported: readonly string[],
): readonly FieldError[] {
  if (value === undefined || value === null || value === '') return [required(path, '')];
  return supportedValueErrors(value, path, supported);
}

/** Behind a pointer "" is a value. */
const validateFailurePolicy = (value: JsonValue | undefined, path: string): readonly FieldError[] =>
  value === '' ? [notSupported(path, value, ['Fail', 'Ignore'])] : oneOfRequired(value, path, ['Fail', 'Ignore']);

function validateConstraints(value: v1.MatchResources | undefined, path: string): readonly FieldError[] {
  if (!isJsonObject(value)) return [required(path, '')];
  const hasRules = asList(value.resourceRules).length > 0;
  return [...validateMatchResources(value, path), ...(hasRules ? [] : [required(`${path}.resourceRules`, '')])];
}

function validateParamKind(paramKind: v1.ParamKind, path: string): readonly FieldError[] {
  const kind = asString(paramKind.kind);
  return [
    ...validateApiVersion(asString(paramKind.apiVersion), `${path}.apiVersion`),
    ...(kind === '' ? [required(`${path}.kind`, '')] : []),
    ...(kind === '' ? [] : dns1035Label(kind.toLowerCase())).map((error) =>
      invalidValue(`${path}.kind`, kind, `may have mixed case, but should otherwise match: ${error}`),
    ),
  ];
}

function validateApiVersion(apiVersion: string, path: string): readonly FieldError[] {
  const invalid = (error: string): FieldError => invalidValue(path, apiVersion, error);
  if (apiVersion === '') return [required(path, '')];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalid(`unexpected GroupVersion string: ${apiVersion}`)];
  const [version = '', group = ''] = parts.toReversed();
  return [
    ...(group === '' ? [] : dns1123Subdomain(group).map(invalid)),
    ...(version === '' ? [invalid('version must be specified')] : dns1035Label(version).map(invalid)),
  ];
}

const reservedWords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const isIdentifier = (text: string): boolean => /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(text) && !reservedWords.has(text);

function validateVariable(variable: v1.Variable, path: string, expressions: PolicyExpressions): readonly FieldError[] {
  const name = asString(variable.name);
  const nameErrors =
    trimSpace(name) === ''
      ? [required(`${path}.name`, 'name is not specified')]
      : isIdentifier(name)
        ? []
        : [invalidValue(`${path}.name`, name, 'must be a valid CEL identifier')];
  return [...nameErrors, ...expressions.declare(name, asString(variable.expression), `${path}.expression`)];
}
