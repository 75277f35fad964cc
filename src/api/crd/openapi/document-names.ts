import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { versionOf } from '../definition-version.ts';
import { subresourcesOf } from '../instances/validate-instance.ts';
import type { PathNames } from './paths.ts';
import type { ListNames } from './published-schema.ts';

export function documentNames(definition: JsonObject, version: string): PathNames & ListNames {
  const spec = asObject(definition['spec']);
  const names = asObject(spec['names']);
  const group = asString(spec['group']);
  const kind = asString(names['kind']);
  const listKind = asString(names['listKind']);
  const { status, scale } = subresourcesOf(versionOf(definition, version) ?? {});
  const prefix = `${group.split('.').toReversed().join('.')}.${version}`;
  return {
    group,
    version,
    kind,
    listKind,
    plural: asString(names['plural']),
    namespaced: spec['scope'] === 'Namespaced',
    hasStatus: status !== undefined && status !== null,
    hasScale: scale !== undefined && scale !== null,
    schema: `${prefix}.${kind}`,
    listSchema: `${prefix}.${listKind}`,
  };
}

export function extensionsOf(definition: JsonObject, version: string, kind: string): JsonObject {
  const group = asString(asObject(definition['spec'])['group']);
  const selectable = asList(versionOf(definition, version)?.['selectableFields']).map((field) => ({
    fieldPath: asString(asObject(field)['jsonPath']).replace(/^\./u, ''),
  }));
  return {
    'x-kubernetes-group-version-kind': [{ group, kind, version }],
    ...(selectable.length > 0 ? { 'x-kubernetes-selectable-fields': selectable } : {}),
  };
}
