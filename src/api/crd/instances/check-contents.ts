import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { Correlated } from '../correlated.ts';
import { complain, missing, tooManyOf, unfit, type Findings } from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

/** Follows kube-openapi pkg/validation/validate/slice_validator.go. */
export function checkList(
  { path, correlated, check }: Checked,
  items: readonly JsonValue[],
  schema: ValueSchema,
  findings: Findings,
): void {
  const { limits, items: element } = schema;
  findings.matches += 2;
  if (element !== undefined) {
    for (const [index, value] of items.entries()) {
      const inner = { value, path: `${path}[${index}]`, correlated: correlated?.index(index), check };
      check(inner, element, findings);
    }
  }
  const { minItems, maxItems } = limits;
  if (minItems !== undefined && items.length < minItems) {
    complain(findings, unfit(path, items.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && items.length > maxItems) {
    complain(findings, tooManyOf(path, 'items', items.length, maxItems));
  }
  if (schema.uniqueItems && new Set(items.map(writeJson)).size < items.length) {
    complain(findings, unfit(path, '', `shouldn't contain duplicates`));
  }
}

/** Follows kube-openapi pkg/validation/validate/object_validator.go. */
export function checkObject(checked: Checked, object: JsonObject, schema: ValueSchema, findings: Findings): void {
  const { path } = checked;
  findings.matches += 1;
  const { minProperties, maxProperties } = schema.limits;
  const fields = Object.keys(object);
  if (minProperties !== undefined && fields.length < minProperties) {
    complain(findings, unfit(path, fields.length, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && fields.length > maxProperties) {
    complain(findings, tooManyOf(path, 'properties', fields.length, maxProperties));
  }
  checkAdditional(checked, object, schema, findings);
  for (const field of fields) {
    const property = schema.properties.get(field);
    const inner = path === '' ? field : `${path}.${field}`;
    if (property !== undefined) {
      checkField(checked, { field, value: object[field], path: inner }, property, findings);
    }
  }
  checkRequired(path, object, schema, findings);
}

function checkRequired(path: string, object: JsonObject, { required }: ValueSchema, findings: Findings): void {
  for (const field of required) {
    if (!Object.hasOwn(object, field)) complain(findings, missing(`${path}.${field}`));
  }
}

function checkAdditional(checked: Checked, object: JsonObject, schema: ValueSchema, findings: Findings): void {
  const { additional, properties } = schema;
  if (additional === undefined || additional === true) return;
  for (const field of Object.keys(object)) {
    if (properties.has(field)) continue;
    const path = `${checked.path}.${field}`;
    if (additional === false) complain(findings, forbiddenProperty(checked.path, field));
    else {
      checkField(checked, { field, value: object[field], path }, additional, findings);
    }
  }
}

const forbiddenProperty = (path: string, field: string) => {
  const error = unfit(path, field, '');
  const text = `${path}.${field} in body is a forbidden property`;
  return { text, error: (name: (path: string) => string) => ({ ...error.error(name), detail: text }) };
};

interface FieldAt {
  readonly field: string;
  readonly value: JsonValue | undefined;
  readonly path: string;
}

function checkField(
  { correlated, check }: Checked,
  { field, value, path }: FieldAt,
  schema: ValueSchema,
  findings: Findings,
): void | undefined {
  if (value === undefined) return undefined;
  // The old object was converted to the new version, so apiVersion never differs.
  const isTypeMeta = path === 'apiVersion' || path === 'kind';
  return check({ value, path, correlated: isTypeMeta ? undefined : correlated?.key(field), check }, schema, findings);
}

export interface Checked {
  readonly value: JsonValue;
  readonly path: string;
  readonly correlated: Correlated | undefined;
  readonly check: CheckValue;
}

export type CheckValue = (checked: Checked, schema: ValueSchema, findings: Findings) => void;
