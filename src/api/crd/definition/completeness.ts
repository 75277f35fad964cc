import { append } from '../../../machinery/json/append.ts';
import { required } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';

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
  const errors: FieldError[] = [];
  const inside = (branch: JsonObject, step: string): readonly FieldError[] =>
    nestedErrors(branch, schema, { ...paths, value: `${paths.value}.${step}` });
  if (isJsonObject(not)) append(errors, inside(not, 'not'));
  for (const field of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, branch] of asList(value[field]).entries()) {
      append(errors, inside(asObject(branch), `${field}[${index}]`));
    }
  }
  return errors;
}

function nestedErrors(value: JsonObject, schema: JsonObject | undefined, paths: Paths): readonly FieldError[] {
  if (schema === undefined) return [missing(paths)];
  const { items } = value;
  const { items: own } = schema;
  const properties = asObject(value['properties']);
  const known = asObject(schema['properties']);
  const errors = [...branchErrors(value, schema, paths)];
  if (isJsonObject(items)) {
    append(errors, nestedErrors(items, isJsonObject(own) ? own : undefined, at(paths, 'items')));
  }
  for (const name of Object.keys(properties)) {
    const property = Object.hasOwn(known, name) ? known[name] : undefined;
    const of = isJsonObject(property) ? property : undefined;
    append(errors, nestedErrors(asObject(properties[name]), of, at(paths, `properties[${name}]`)));
  }
  return errors;
}

const at = ({ structural, value }: Paths, step: string): Paths => ({
  structural: `${structural}.${step}`,
  value: `${value}.${step}`,
});

const missing = ({ structural, value }: Paths): FieldError => required(structural, `because it is defined in ${value}`);
