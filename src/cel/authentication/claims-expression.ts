import { storedVersion } from '../admission/admission-environment.ts';
import { createEnvironment, type Environment, type FieldsOf } from '../check/environment.ts';
import { anyType, listType, mapType, stringType, structType, type Type, typeText } from '../check/type.ts';
import { escapedNames } from '../crd/rule-scope.ts';
import { type Compilation, compile } from '../run/compile.ts';
import { box, type Value } from '../value/value.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';

/** The subject of an expression of a JWT authenticator: the claims of a token, or the user derived from them. */
export type ClaimsVariable = 'claims' | 'user';

/**
 * Compiles an expression over `claims` or `user`; `isRule` must be of type bool.
 * Follows apiserver pkg/authentication/cel/compile.go.
 */
export const compileClaimsExpression = (expression: string, variable: ClaimsVariable, isRule: boolean): Compilation =>
  compile(expression, (environments[variable] ??= createClaimsEnvironment(variable)), ({ type }) =>
    isRule && typeText(type) !== 'bool' ? 'must evaluate to bool' : undefined,
  );

const environments: { [Variable in ClaimsVariable]?: Environment } = {};

const types: Readonly<Record<ClaimsVariable, Type>> = {
  claims: mapType(stringType, anyType),
  user: structType('kubernetes.UserInfo'),
};

const createClaimsEnvironment = (variable: ClaimsVariable): Environment =>
  createEnvironment({
    version: storedVersion,
    variables: new Map([[variable, types[variable]]]),
    structs: structFields,
    functions: undefined,
  });

const userFields: ReadonlyMap<string, Type> = new Map([
  ['username', stringType],
  ['uid', stringType],
  ['groups', listType(stringType)],
  ['extra', mapType(stringType, listType(stringType))],
]);

const structFields = (name: string): FieldsOf | undefined =>
  name === 'kubernetes.UserInfo' ? (field) => userFields.get(field) : undefined;

/**
 * Claims as expressions see them: numbers are doubles, and a name that is not an identifier also has its escaped form,
 * such as `claims.example__dot__com`, which size() does not count. Follows plugin/pkg/authenticator/token/oidc/oidc.go
 * newClaimsValue and unescapeWrapper.
 */
export function toClaimsValue(value: JsonValue): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? box('double', value) : value;
  if (Array.isArray(value)) return value.map(toClaimsValue);
  return isJsonObject(value) ? addEscapedNames(value) : (value as Value); // The remaining values are strings, booleans and null.
}

function addEscapedNames(object: JsonObject): Value {
  const fields: Record<string, Value> = {};
  for (const name of Object.keys(object)) {
    const inner = toClaimsValue(object[name] ?? null);
    const isVisible = { value: inner, configurable: true, writable: true };
    if (name === '__proto__') Object.defineProperty(fields, name, { ...isVisible, enumerable: true });
    else fields[name] = inner;
    for (const alias of escapedNames(name)) {
      if (alias !== name && !Object.hasOwn(object, alias)) Object.defineProperty(fields, alias, isVisible);
    }
  }
  return fields as Value; // Fields of a map are values.
}
