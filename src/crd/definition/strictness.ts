import { sameJson } from '../../apimachinery/json-equal.ts';
import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { versionOf, versionsOf, schemaOf } from '../definition-version.ts';
import { hasKnownReview } from './conversion-errors.ts';
import { defaultErrors } from './default-errors.ts';
import { internalSpec, schemasIn } from './internal-form.ts';
import type { InternalSpec } from './internal-form.ts';
import { hasUnsoundMapKeys, hasUnsoundSet } from './list-schema-errors.ts';
import { schemaHas } from './schema-walk.ts';
import type { Strictness } from './version-errors.ts';

export interface DefinitionStrictness extends Strictness {
  /** Must every version have a schema, served or not? */
  readonly schemas: boolean;
  readonly knownReview: boolean;
  readonly hasDefaults: (spec: InternalSpec) => boolean;
  /** Is the schema of this version as it was? `undefined` asks for what all have in common. */
  readonly isUnchanged: (version: string | undefined) => boolean;
}

const hasDefaults = (spec: InternalSpec): boolean =>
  schemasIn(spec).some((schema) =>
    schemaHas(schema, (node) => node['default'] !== undefined && node['default'] !== null),
  );

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
 * What an update may leave as it was.
 * Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go ValidateCustomResourceDefinitionUpdate.
 */
export function forUpdate(definition: JsonObject, old: JsonObject): DefinitionStrictness {
  const oldSpec = internalSpec(old);
  const schemas = schemasIn(oldSpec);
  const none = (test: (schema: JsonObject) => boolean): boolean => !schemas.some((schema) => schemaHas(schema, test));
  const reviews = asList(asObject(oldSpec.conversion?.['webhook'])['conversionReviewVersions']).map(asString);
  const stored = new Set(schemas.flatMap(expressionsIn));
  return {
    schemas:
      oldSpec.common.schema !== undefined || (oldSpec.versions ?? []).every(({ schema }) => schema !== undefined),
    knownReview: reviews.length === 0 || hasKnownReview(reviews),
    knownTypes: none(({ type }) => !types.has(asString(type))),
    atomicSets: none(hasUnsoundSet),
    soundMapKeys: none(hasUnsoundMapKeys),
    prunedDefaults: !schemas.some(hasUnprunedDefaults),
    hasDefaults,
    isStoredExpression: (expression) => stored.has(expression),
    isUnchanged: (name) => {
      const version = name ?? asString(versionsOf(definition)[0]?.['name']);
      const before = versionOf(old, version);
      return before !== undefined && sameJson(schemaOf(versionOf(definition, version)), schemaOf(before));
    },
  };
}

const hasUnprunedDefaults = (schema: JsonObject): boolean =>
  defaultErrors(schema, '', true).some(({ detail }) => detail === 'must not have unknown fields');

function expressionsIn(schema: JsonObject): readonly string[] {
  const found: string[] = [];
  schemaHas(schema, (node) => {
    for (const rule of asList(node['x-kubernetes-validations']).map(asObject)) {
      found.push(asString(rule['rule']), asString(rule['messageExpression']));
    }
    return false;
  });
  return found;
}
