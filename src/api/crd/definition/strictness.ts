import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import {
  toInternalSpec,
  type InternalSpec,
  versionSchema,
  listSchemas,
  listVersions,
  findVersion,
} from './internal-spec.ts';
import { hasKnownReviewVersion } from './validate-parts.ts';
import { validateDefaults } from './validate-defaults.ts';
import { hasInvalidMapKeys, hasInvalidSet } from './validate-list-schema.ts';
import { schemaHas } from './schema-walk.ts';
import type { Strictness } from './validate-version-schema.ts';

export interface DefinitionStrictness extends Strictness {
  /** Whether unserved versions need a schema too. */
  readonly schemas: boolean;
  readonly knownReview: boolean;
  readonly hasDefaults: (spec: InternalSpec) => boolean;
  /** `undefined` is the schema common to all versions. */
  readonly isUnchanged: (version: string | undefined) => boolean;
}

function hasDefaults(spec: InternalSpec): boolean {
  for (const schema of listSchemas(spec)) {
    if (schemaHas(schema, (node) => node['default'] !== undefined && node['default'] !== null)) return true;
  }
  return false;
}

export const forCreate: DefinitionStrictness = {
  schemas: true,
  knownReview: true,
  knownTypes: true,
  atomicSets: true,
  soundMapKeys: true,
  prunedDefaults: true,
  hasDefaults,
  isStoredExpression: () => false,
  isUnchanged: () => false,
};

const types: ReadonlySet<string> = new Set(['', 'array', 'boolean', 'integer', 'number', 'object', 'string']);

/**
 * Skips checks that the old definition violated. Follows apiextensions-apiserver
 * pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceDefinitionUpdate.
 */
export function forUpdate(definition: JsonObject, old: JsonObject): DefinitionStrictness {
  const oldSpec = toInternalSpec(old);
  const schemas = listSchemas(oldSpec);
  const faults = collectFaults(schemas);
  const reviews = asList(asObject(oldSpec.conversion?.['webhook'])['conversionReviewVersions']).map(asString);
  return {
    schemas:
      oldSpec.common.schema !== undefined || (oldSpec.versions ?? []).every(({ schema }) => schema !== undefined),
    knownReview: reviews.length === 0 || hasKnownReviewVersion(reviews),
    knownTypes: !faults.unknownType,
    atomicSets: !faults.invalidSet,
    soundMapKeys: !faults.invalidMapKeys,
    prunedDefaults: !hasUnprunedDefaults(schemas),
    hasDefaults,
    isStoredExpression: (expression) => faults.expressions.has(expression),
    isUnchanged: (name) => {
      const version = name ?? asString(listVersions(definition)[0]?.['name']);
      const before = findVersion(old, version);
      return before !== undefined && sameJson(versionSchema(findVersion(definition, version)), versionSchema(before));
    },
  };
}

interface SchemaFaults {
  unknownType: boolean;
  invalidSet: boolean;
  invalidMapKeys: boolean;
  readonly expressions: Set<string>;
}

function collectFaults(schemas: readonly JsonObject[]): SchemaFaults {
  const faults: SchemaFaults = { unknownType: false, invalidSet: false, invalidMapKeys: false, expressions: new Set() };
  for (const schema of schemas) {
    schemaHas(schema, (node) => {
      faults.unknownType ||= !types.has(asString(node['type']));
      faults.invalidSet ||= hasInvalidSet(node);
      faults.invalidMapKeys ||= hasInvalidMapKeys(node);
      for (const rule of asList(node['x-kubernetes-validations']).map(asObject)) {
        faults.expressions.add(asString(rule['rule'])).add(asString(rule['messageExpression']));
      }
      return false;
    });
  }
  return faults;
}

function hasUnprunedDefaults(schemas: readonly JsonObject[]): boolean {
  for (const schema of schemas) {
    const errors = validateDefaults(schema, '', true);
    if (errors.some(({ detail }) => detail === 'must not have unknown fields')) return true;
  }
  return false;
}
