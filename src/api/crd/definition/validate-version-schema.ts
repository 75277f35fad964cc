import { forbiddenField, invalidValue, type FieldError } from '../../../machinery/meta/field-error.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { checkRules } from '../../../cel/index.ts';
import { validateDefaults } from './validate-defaults.ts';
import { formatSchema, listSetFields } from './format-go-structs.ts';
import { validateOpenApiSchema } from './validate-schema.ts';
import type { SchemaStrictness } from './validate-list-schema.ts';
import { validateStructural } from './validate-structural.ts';
import { structuralConversionError } from './schema-walk.ts';

export interface Strictness extends SchemaStrictness {
  readonly prunedDefaults: boolean;
  readonly isStoredExpression: (expression: string) => boolean;
  /** The minor release, whose CEL functions rules may use; by default 36. */
  readonly release?: number | undefined;
}

export interface SchemaCheck {
  readonly schema: JsonObject;
  /** `spec.validation` or `spec.versions[0].schema`. */
  readonly path: string;
  readonly hasStatus: boolean;
  /** Skips the cost limits of stored rules. */
  readonly isUnchanged: boolean;
}

/**
 * Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go
 * validateCustomResourceDefinitionValidation.
 */
export function validateVersionSchema(check: SchemaCheck, strictness: Strictness): readonly FieldError[] {
  const { schema, hasStatus } = check;
  const path = `${check.path}.openAPIV3Schema`;
  const unconvertible = structuralConversionError(schema);
  const structural = unconvertible === undefined ? validateStructureAndDefaults(schema, path, strictness) : [];
  const own = validateOpenApiSchema(schema, path, strictness);
  const invalidPlaces = own.length === 0 ? noPaths : collectInvalidPaths(own);
  const isSound = (place: string): boolean => !invalidPlaces.has(place);
  const { isStoredExpression: isStored, release } = strictness;
  const rules =
    unconvertible !== undefined || structural.length > 0
      ? []
      : checkRules(schema, path, { isStored, isSound, release, forgivesCost: check.isUnchanged });
  const errors = [
    ...(hasStatus ? validateRootFields(schema, path) : []),
    ...(schema['nullable'] === true ? [forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...structural,
    ...own,
    ...rules,
  ];
  return errors.length === 0 && unconvertible !== undefined ? [invalidValue(path, '', unconvertible)] : errors;
}

const noPaths: ReadonlySet<string> = new Set();

/** Paths with errors and their parents. */
function collectInvalidPaths(errors: readonly FieldError[]): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { field } of errors) {
    for (let end = field.length; end > 0 && !places.has(field.slice(0, end)); end = field.lastIndexOf('.', end - 1)) {
      places.add(field.slice(0, end));
    }
  }
  return places;
}

function validateStructureAndDefaults(schema: JsonObject, path: string, strictness: Strictness): readonly FieldError[] {
  const errors = validateStructural(schema, path);
  return errors.length > 0 ? errors : validateDefaults(schema, path, strictness.prunedDefaults);
}

const allowedRootFields =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

/** The status subresource splits the schema at the root, which limits the root's fields. */
function validateRootFields(schema: JsonObject, path: string): readonly FieldError[] {
  const allowed = allowedRootFields.split(' ');
  for (const field of listSetFields(schema)) {
    if (field === 'Type' && schema['type'] !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidValue(`${path}.type`, schema['type'] ?? '', detail)];
    }
    if (allowed.includes(field)) continue;
    const detail = `only [${allowedRootFields}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [invalidValue(path, formatSchema(schema), detail)];
  }
  return [];
}
