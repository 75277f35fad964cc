import type { FieldsOf } from '../check/environment.ts';
import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
  type Type,
} from '../check/type.ts';

/** The declared types of `request` and `namespaceObject`. Follows apiserver pkg/admission/plugin/cel/compile.go. */
export const admissionTypes = (name: string): FieldsOf | undefined => {
  const fields = types.get(name);
  return fields && ((field) => fields.get(field));
};

export const requestType = structType('kubernetes.AdmissionRequest');
export const namespaceType = structType('kubernetes.Namespace');

const texts = (...names: readonly string[]): readonly [string, Type][] => names.map((name) => [name, stringType]);
const fields = (...list: readonly [string, Type][]): ReadonlyMap<string, Type> => new Map(list);
const labels = mapType(stringType, stringType);

const kind = structType('kubernetes.GroupVersionKind');
const resource = structType('kubernetes.GroupVersionResource');

const types: ReadonlyMap<string, ReadonlyMap<string, Type>> = new Map([
  ['kubernetes.GroupVersionKind', fields(...texts('group', 'version', 'kind'))],
  ['kubernetes.GroupVersionResource', fields(...texts('group', 'version', 'resource'))],
  [
    'kubernetes.UserInfo',
    fields(
      ...texts('username', 'uid'),
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
      ...texts('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
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
      ...texts('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
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
    fields(...texts('phase'), ['conditions', listType(structType('kubernetes.NamespaceCondition'))]),
  ],
  [
    'kubernetes.NamespaceCondition',
    fields(...texts('status', 'type', 'message', 'reason'), ['lastTransitionTime', timestampType]),
  ],
]);
