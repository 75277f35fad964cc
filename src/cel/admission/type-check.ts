import type { Checked } from '../check/checker.ts';
import { type FieldsOf, createEnvironment } from '../check/environment.ts';
import { type Type, structType, typeText } from '../check/type.ts';
import { type Compilation, compile } from '../run/compile.ts';
import {
  type AdmissionEnvironmentOptions,
  admissionEnvironment,
  storedVersion,
  variablesType,
  admissionTypes,
  namespaceType,
  requestType,
} from './admission-environment.ts';

/** The types that the expressions of a policy see for one kind. */
export interface TypedSubject {
  readonly object: Type;
  /** undefined: the policy has no params, or their type is unknown. */
  readonly params: Type | undefined;
  /** The fields of these types and of the types inside them. */
  readonly structs: (name: string) => FieldsOf | undefined;
  readonly variables: ReadonlyMap<string, Type>;
}

/** The type of an expression, and the errors of the checker. */
export interface TypeChecked {
  readonly type: Type | undefined;
  readonly issues: string | undefined;
}

const compilationFailed = 'compilation failed: ';

/** Compiles with typed objects, whatever the type of the result. Follows apiserver pkg/admission/plugin/policy/validating/typechecking.go. */
export function checkTypes(expression: string, { object, params, structs, variables }: TypedSubject): TypeChecked {
  const types = new Map<string, Type>([
    ['object', object],
    ['oldObject', object],
    ['request', requestType],
    ['namespaceObject', namespaceType],
    ['variables', variablesType],
    ['authorizer', structType('kubernetes.authorization.Authorizer')],
  ]);
  if (params) types.set('params', params);
  const environment = createEnvironment({
    version: storedVersion,
    variables: types,
    structs: (name) => {
      if (name === variablesType.name) return (field) => variables.get(field);
      return structs(name) ?? admissionTypes(name);
    },
  });
  const compilation = compile(expression, environment);
  if (compilation.outcome === 'compiled') return { type: compilation.compiled.checked.type, issues: undefined };
  const { error } = compilation;
  return {
    type: undefined,
    issues: error.startsWith(compilationFailed) ? error.slice(compilationFailed.length) : undefined,
  };
}

export type ConditionOptions = Pick<AdmissionEnvironmentOptions, 'stored' | 'params' | 'variables'>;

/**
 * Compiles a match condition: it must be bool, exactly. The error is the text that stands after the expression in API
 * validation, and after `compilation error: ` at run time (rules SEL-64, CEL-1).
 */
export const compileCondition = (expression: string, options: ConditionOptions): Compilation =>
  compileAdmission(expression, options, ['bool']);

/** Compiles an expression of an admission policy whose result must have one of these types. */
export const compileAdmission = (
  expression: string,
  options: AdmissionEnvironmentOptions,
  returns: readonly string[] | undefined,
): Compilation => compile(expression, admissionEnvironment(options), (checked) => resultTypeError(checked, returns));

/** Follows apiserver pkg/admission/plugin/cel/compile.go. */
function resultTypeError({ type }: Checked, returns: readonly string[] | undefined): string | undefined {
  const resultType = typeText(type);
  if (returns === undefined || returns.includes(resultType)) return undefined;
  const [only] = returns;
  const expected = returns.length === 1 ? only : `one of [${returns.join(' ')}]`;
  return `must evaluate to ${expected} but got ${resultType}`;
}
