import { storedVersion } from '../admission/admission-environment.ts';
import { createEnvironment, type Environment, type FieldsOf } from '../check/environment.ts';
import { listType, mapType, stringType, structType, type Type, typeText } from '../check/type.ts';
import { type Compilation, compile } from '../run/compile.ts';

/**
 * Compiles a match condition of an authorizer: `request` is the spec of a SubjectAccessReview v1, and the result is bool.
 * Follows apiserver pkg/authorization/cel/compile.go.
 */
export const compileReviewCondition = (expression: string): Compilation =>
  compile(expression, (environment ??= createReviewEnvironment()), ({ type }) =>
    typeText(type) === 'bool' ? undefined : `must evaluate to bool but got ${typeText(type)}`,
  );

let environment: Environment | undefined;

const createReviewEnvironment = (): Environment =>
  createEnvironment({
    version: storedVersion,
    variables: new Map([['request', structType('kubernetes.SubjectAccessReviewSpec')]]),
    structs: structFields,
    functions: undefined,
  });

const structFields = (name: string): FieldsOf | undefined => {
  const fields = types.get(name);
  return fields && ((field) => fields.get(field));
};

const stringFields = (...names: readonly string[]): readonly [string, Type][] =>
  names.map((name) => [name, stringType]);
const selector: ReadonlyMap<string, Type> = new Map([
  ...stringFields('rawSelector'),
  ['requirements', listType(structType('kubernetes.SelectorRequirement'))],
]);

const types: ReadonlyMap<string, ReadonlyMap<string, Type>> = new Map([
  [
    'kubernetes.SubjectAccessReviewSpec',
    new Map([
      ['resourceAttributes', structType('kubernetes.ResourceAttributes')],
      ['nonResourceAttributes', structType('kubernetes.NonResourceAttributes')],
      ...stringFields('user', 'uid'),
      ['groups', listType(stringType)],
      ['extra', mapType(stringType, listType(stringType))],
    ]),
  ],
  [
    'kubernetes.ResourceAttributes',
    new Map([
      ...stringFields('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
      ['fieldSelector', structType('kubernetes.FieldSelectorAttributes')],
      ['labelSelector', structType('kubernetes.LabelSelectorAttributes')],
    ]),
  ],
  ['kubernetes.NonResourceAttributes', new Map(stringFields('path', 'verb'))],
  ['kubernetes.FieldSelectorAttributes', selector],
  ['kubernetes.LabelSelectorAttributes', selector],
  ['kubernetes.SelectorRequirement', new Map([...stringFields('key', 'operator'), ['values', listType(stringType)]])],
]);
