import { namesOf } from '../../apimachinery/field-names.ts';
import { writeJson } from '../../apimachinery/json-writer.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { Steps } from '../../apimachinery/pause.ts';
import { valuesAStep } from './checked.ts';
import type { Checked } from './checked.ts';
import { complain, missing, tooManyOf, unfit } from './findings.ts';
import type { Findings } from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

/** Follows kube-openapi pkg/validation/validate/slice_validator.go. */
export function* checkList(
  { path, correlated, check }: Checked,
  items: readonly JsonValue[],
  schema: ValueSchema,
  findings: Findings,
): Steps<void> {
  const { limits, items: element } = schema;
  findings.matches += 2;
  if (element !== undefined) {
    for (const [index, value] of items.entries()) {
      const inner = { value, path: `${path}[${index}]`, correlated: correlated?.index(index), check };
      const more = check(inner, element, findings);
      if (more) yield* more;
      if (index % valuesAStep === valuesAStep - 1) yield;
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
export function* checkObject(
  checked: Checked,
  object: JsonObject,
  schema: ValueSchema,
  findings: Findings,
): Steps<void> {
  const { path } = checked;
  findings.matches += 1;
  const { minProperties, maxProperties } = schema.limits;
  const fields = namesOf(object);
  if (minProperties !== undefined && fields.length < minProperties) {
    complain(findings, unfit(path, fields.length, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && fields.length > maxProperties) {
    complain(findings, tooManyOf(path, 'properties', fields.length, maxProperties));
  }
  yield* checkAdditional(checked, object, schema, findings);
  for (const [index, field] of fields.entries()) {
    const property = schema.properties.get(field);
    const inner = path === '' ? field : `${path}.${field}`;
    if (property !== undefined) {
      if (property.enum.length > valuesAStep) yield;
      const more = checkField(checked, { field, value: object[field], path: inner }, property, findings);
      if (more) yield* more;
    }
    if (index % valuesAStep === valuesAStep - 1) yield;
  }
  yield* checkRequired(path, object, schema, findings);
}

function* checkRequired(path: string, object: JsonObject, { required }: ValueSchema, findings: Findings): Steps<void> {
  for (const [index, field] of required.entries()) {
    if (!Object.hasOwn(object, field)) complain(findings, missing(`${path}.${field}`));
    if (index % valuesAStep === valuesAStep - 1) yield;
  }
}

function* checkAdditional(checked: Checked, object: JsonObject, schema: ValueSchema, findings: Findings): Steps<void> {
  const { additional, properties } = schema;
  if (additional === undefined || additional === true) return;
  for (const [index, field] of namesOf(object).entries()) {
    if (index % valuesAStep === valuesAStep - 1) yield;
    if (properties.has(field)) continue;
    const path = `${checked.path}.${field}`;
    if (additional === false) complain(findings, forbiddenProperty(checked.path, field));
    else {
      const more = checkField(checked, { field, value: object[field], path }, additional, findings);
      if (more) yield* more;
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
): Steps<void> | undefined {
  if (value === undefined) return undefined;
  // Nobody sees a change of apiVersion: the old object is shown in the new one's version.
  const isTypeMeta = path === 'apiVersion' || path === 'kind';
  return check({ value, path, correlated: isTypeMeta ? undefined : correlated?.key(field), check }, schema, findings);
}
