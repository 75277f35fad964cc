import { createEnvironment, type FieldsOf } from '../check/environment.ts';
import { structType, type Type } from '../check/type.ts';
import { compile } from '../run/compile.ts';
import { storedVersion, variablesType } from './admission-environment.ts';
import { admissionTypes, namespaceType, requestType } from './admission-types.ts';

/** What the expressions of a policy see when it judges one kind. */
export interface TypedSubject {
  readonly object: Type;
  /** undefined: the policy has no params, or their type is unknown. */
  readonly params: Type | undefined;
  /** The fields of the types that these two are made of. */
  readonly structs: (name: string) => FieldsOf | undefined;
  readonly variables: ReadonlyMap<string, Type>;
}

/** The type of an expression, and the complaints of the checker. */
export interface TypeChecked {
  readonly type: Type | undefined;
  readonly issues: string | undefined;
}

const prefix = 'compilation failed: ';

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
  return { type: undefined, issues: error.startsWith(prefix) ? error.slice(prefix.length) : undefined };
}
