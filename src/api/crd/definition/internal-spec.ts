import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  type JsonObject,
  type JsonValue,
  asList,
  asObject,
  asString,
  isJsonObject,
} from '../../../machinery/json/json.ts';
import { readOnce } from '../../../machinery/once.ts';

export const findVersion = (definition: JsonObject, name: string): JsonObject | undefined =>
  versionsByName(definition).get(name);

/** The first version of a name counts. */
const versionsByName = readOnce(
  (definition: JsonObject) =>
    new Map(
      listVersions(definition)
        .toReversed()
        .map((version) => [asString(version['name']), version]),
    ),
);

export const listVersions = (definition: JsonObject): readonly JsonObject[] =>
  asList(asObject(definition['spec'])['versions']).map(asObject);

export const versionSchema = (version: JsonObject | undefined): JsonObject =>
  asObject(asObject(version?.['schema'])['openAPIV3Schema']);

/** A definition's spec in the internal form, with fields common to all versions at the top. */
export interface InternalSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: JsonObject;
  readonly preservesUnknown: boolean;
  readonly conversion: JsonObject | undefined;
  /** null when the list was null. */
  readonly versions: readonly InternalVersion[] | null;
  readonly common: VersionFields;
}

export interface InternalVersion extends VersionFields {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

export interface VersionFields {
  readonly schema: JsonObject | undefined;
  readonly subresources: JsonObject | undefined;
  readonly columns: readonly JsonValue[];
  readonly selectableFields: readonly JsonValue[];
}

const emptyVersion: VersionFields = { schema: undefined, subresources: undefined, columns: [], selectableFields: [] };

/** Follows apiextensions-apiserver pkg/apis/apiextensions/v1/conversion.go. */
export const toInternalSpec: (definition: JsonObject) => InternalSpec = readOnce((definition) => {
  const spec = asObject(definition['spec']);
  const versions = Array.isArray(spec['versions'])
    ? asList(spec['versions']).map((one) => toInternalVersion(asObject(one)))
    : null;
  const [first = emptyVersion, ...others] = versions ?? [];
  const isCommon = (pick: (version: VersionFields) => JsonValue | undefined): boolean =>
    others.every((other) => sameJson(pick(other) ?? null, pick(first) ?? null));
  const commonSchema = isCommon(({ schema }) => schema);
  const commonSubresources = isCommon(({ subresources }) => subresources);
  const commonColumns = isCommon(({ columns }) => columns);
  const commonFields = isCommon(({ selectableFields }) => selectableFields);
  const conversion = spec['conversion'];
  return {
    group: asString(spec['group']),
    scope: asString(spec['scope']),
    names: asObject(spec['names']),
    preservesUnknown: spec['preserveUnknownFields'] === true,
    conversion: isJsonObject(conversion) ? conversion : undefined,
    common: {
      schema: commonSchema ? first.schema : undefined,
      subresources: commonSubresources ? first.subresources : undefined,
      columns: commonColumns ? first.columns : [],
      selectableFields: commonFields ? first.selectableFields : [],
    },
    versions:
      versions?.map((version) => ({
        ...version,
        ...(commonSchema ? { schema: undefined } : {}),
        ...(commonSubresources ? { subresources: undefined } : {}),
        ...(commonColumns ? { columns: [] } : {}),
        ...(commonFields ? { selectableFields: [] } : {}),
      })) ?? null,
  };
});

function toInternalVersion(json: JsonObject): InternalVersion {
  const schema = asObject(json['schema'])['openAPIV3Schema'];
  const { subresources, deprecationWarning } = json;
  return {
    name: asString(json['name']),
    served: json['served'] === true,
    storage: json['storage'] === true,
    deprecated: json['deprecated'] === true,
    deprecationWarning: typeof deprecationWarning === 'string' ? deprecationWarning : undefined,
    schema: isJsonObject(schema) ? schema : undefined,
    subresources: isJsonObject(subresources) ? subresources : undefined,
    columns: asList(json['additionalPrinterColumns']),
    selectableFields: asList(json['selectableFields']),
  };
}

export const listSchemas = ({ common, versions }: InternalSpec): readonly JsonObject[] =>
  [common, ...(versions ?? [])].map(({ schema }) => schema).filter((schema) => schema !== undefined);
