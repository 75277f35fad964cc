import { defaultMinor } from '../../machinery/meta/release-names.ts';
import { type MinorVersion, createOverload, type Overload } from '../check/declarations.ts';
import { createEnvironment, type Environment, type FieldsOf } from '../check/environment.ts';
import {
  dynType,
  listType,
  mapType,
  stringType,
  structType,
  type Type,
  unspecifiedType,
  boolType,
  intType,
  timestampType,
} from '../check/type.ts';

/**
 * `Object` and `Object.<path>` take any field; `JSONPatch` has four, and its checker reports an unknown one with a type
 * without a name. Follows apiserver pkg/cel/mutation.
 */
function patchTypeFields(name: string): FieldsOf | undefined {
  if (name === 'Object' || name.startsWith('Object.')) return () => dynType;
  if (name !== 'JSONPatch') return undefined;
  return (field) => {
    if (field === 'value') return dynType;
    return ['op', 'path', 'from'].includes(field) ? stringType : unspecifiedType;
  };
}

/** The version followed, in which expressions that are stored are compiled. */
export const storedVersion: MinorVersion = defaultMinor;

export interface AdmissionEnvironmentOptions {
  /** Of the server; by default the default release. */
  readonly release?: MinorVersion | undefined;
  /**
   * Did an earlier write store the expression? Then it may use everything that this version knows; a new one only what
   * the previous version knows too, so that the server can be rolled back.
   */
  readonly stored: boolean;
  readonly params?: boolean;
  readonly authorizer?: boolean;
  readonly namespaceObject?: boolean;
  /** The types of `variables`, by name; undefined when there is no such variable. */
  readonly variables?: ReadonlyMap<string, Type> | undefined;
  /** `Object{…}`, `JSONPatch{…}` and `jsonpatch.escapeKey`. */
  readonly patch?: boolean;
}

export const variablesType = structType('kubernetes.variables');

/**
 * The variables and functions of expressions in webhooks and admission policies. Follows apiserver
 * pkg/admission/plugin/cel/compile.go.
 */
export function admissionEnvironment(options: AdmissionEnvironmentOptions): Environment {
  const { release = storedVersion, stored, params = false, authorizer = true, variables, patch = false } = options;
  const types = new Map<string, Type>([
    ['object', dynType],
    ['oldObject', dynType],
    ['request', requestType],
    ['namespaceObject', namespaceType],
  ]);
  if (params) types.set('params', dynType);
  if (variables !== undefined) types.set('variables', variablesType);
  if (authorizer) {
    types.set('authorizer', structType('kubernetes.authorization.Authorizer'));
    types.set('authorizer.requestResource', structType('kubernetes.authorization.ResourceCheck'));
  }
  return createEnvironment({
    version: stored ? release : release - 1,
    variables: types,
    structs: (name) => {
      if (name === variablesType.name) return variables && ((field) => variableFieldType(variables.get(field)));
      return (patch ? patchTypeFields(name) : undefined) ?? admissionTypes(name);
    },
    functions: patch ? patchFunctions : undefined,
  });
}

const variableFieldType = (type: Type | undefined): Type | undefined => type && toPlainType(type);

/**
 * The type of a variable is a scalar, or a list or map of scalars; otherwise dyn. Follows apiserver
 * pkg/admission/plugin/cel/composition.go convertCelTypeToDeclType.
 */
function toPlainType(type: Type): Type {
  if (type.kind === 'list') return listType(toPlainType(type.element));
  if (type.kind === 'map') return mapType(toPlainType(type.key), toPlainType(type.value));
  return ['opaque', 'param', 'struct', 'type'].includes(type.kind) ? dynType : type;
}

const patchFunctions: ReadonlyMap<string, readonly Overload[]> = new Map([
  ['jsonpatch.escapeKey', [createOverload('string_jsonpatch_escapeKey_string', ['string'], 'string')]],
]);

/** The declared types of `request` and `namespaceObject`. Follows apiserver pkg/admission/plugin/cel/compile.go. */
export const admissionTypes = (name: string): FieldsOf | undefined => {
  const fields = types.get(name);
  return fields && ((field) => fields.get(field));
};

export const requestType = structType('kubernetes.AdmissionRequest');
export const namespaceType = structType('kubernetes.Namespace');

const stringFields = (...names: readonly string[]): readonly [string, Type][] =>
  names.map((name) => [name, stringType]);
const fields = (...list: readonly [string, Type][]): ReadonlyMap<string, Type> => new Map(list);
const labels = mapType(stringType, stringType);

const kind = structType('kubernetes.GroupVersionKind');
const resource = structType('kubernetes.GroupVersionResource');

const types: ReadonlyMap<string, ReadonlyMap<string, Type>> = new Map([
  ['kubernetes.GroupVersionKind', fields(...stringFields('group', 'version', 'kind'))],
  ['kubernetes.GroupVersionResource', fields(...stringFields('group', 'version', 'resource'))],
  [
    'kubernetes.UserInfo',
    fields(
      ...stringFields('username', 'uid'),
      ['groups', listType(stringType)],
      ['extra', mapType(stringType, listType(stringType))],
    ),
  ],
  [
    'kubernetes.AdmissionRequest',
    fields(
      ['kind', kind],
      ['resource', resource],
      ['requestKind', kind],
      ['requestResource', resource],
      ...stringFields('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
      ['userInfo', structType('kubernetes.UserInfo')],
      ['dryRun', boolType],
      ['options', dynType],
    ),
  ],
  [
    'kubernetes.Namespace',
    fields(
      ['metadata', structType('kubernetes.NamespaceMetadata')],
      ['spec', structType('kubernetes.NamespaceSpec')],
      ['status', structType('kubernetes.NamespaceStatus')],
    ),
  ],
  [
    'kubernetes.NamespaceMetadata',
    fields(
      ...stringFields('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
      ['labels', labels],
      ['annotations', labels],
      ['creationTimestamp', timestampType],
      ['deletionTimestamp', timestampType],
      ['deletionGracePeriodSeconds', intType],
      ['generation', intType],
      ['finalizers', listType(stringType)],
    ),
  ],
  ['kubernetes.NamespaceSpec', fields(['finalizers', listType(stringType)])],
  [
    'kubernetes.NamespaceStatus',
    fields(...stringFields('phase'), ['conditions', listType(structType('kubernetes.NamespaceCondition'))]),
  ],
  [
    'kubernetes.NamespaceCondition',
    fields(...stringFields('status', 'type', 'message', 'reason'), ['lastTransitionTime', timestampType]),
  ],
]);
