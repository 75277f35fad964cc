import { required } from '../../apimachinery/field-error.ts';
import type { FieldError } from '../../apimachinery/field-error.ts';
import { asList, asObject, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';

/**
 * Fields and items that stand under allOf, anyOf, oneOf or not, but not in the schema itself.
 * Follows apiextensions-apiserver pkg/apiserver/schema/complete.go.
 */
export const completenessErrors = (schema: JsonObject, path: string): readonly FieldError[] =>
  branchErrors(schema, schema, { structural: path, value: path });

/** Where we are in the schema itself, and in the branch. */
interface Paths {
  readonly structural: string;
  readonly value: string;
}

function branchErrors(value: JsonObject, schema: JsonObject, paths: Paths): readonly FieldError[] {
  const { not } = value;
  const inside = (branch: JsonObject, step: string): readonly FieldError[] =>
    nestedErrors(branch, schema, { ...paths, value: `${paths.value}.${step}` });
  return [
    ...(isJsonObject(not) ? inside(not, 'not') : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((field) =>
      asList(value[field]).flatMap((branch, index) => inside(asObject(branch), `${field}[${index}]`)),
    ),
  ];
}

function nestedErrors(value: JsonObject, schema: JsonObject | undefined, paths: Paths): readonly FieldError[] {
  if (schema === undefined) return [missing(paths)];
  const { items } = value;
  const { items: own } = schema;
  const properties = asObject(value['properties']);
  const known = asObject(schema['properties']);
  return [
    ...branchErrors(value, schema, paths),
    ...(isJsonObject(items) ? nestedErrors(items, isJsonObject(own) ? own : undefined, at(paths, 'items')) : []),
    ...Object.keys(properties).flatMap((name) => {
      const property = Object.hasOwn(known, name) ? known[name] : undefined;
      return nestedErrors(
        asObject(properties[name]),
        isJsonObject(property) ? property : undefined,
        at(paths, `properties[${name}]`),
      );
    }),
  ];
}

const at = ({ structural, value }: Paths, step: string): Paths => ({
  structural: `${structural}.${step}`,
  value: `${value}.${step}`,
});

const missing = ({ structural, value }: Paths): FieldError => required(structural, `because it is defined in ${value}`);
