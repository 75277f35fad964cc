import { invalidValue } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { goPrint, goTypeOf } from '../../../machinery/go/go-print.ts';
import { asString, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';

const largest = 2 ** 31 - 1;

/**
 * What is wrong with the values that a definition's scale subresource points to.
 * Follows apiextensions-apiserver pkg/registry/customresource/validator.go.
 */
export const scaleErrors = (object: JsonObject, scale: JsonObject): readonly FieldError[] => [
  ...replicasErrors(object, asString(scale['specReplicasPath'])),
  ...scaleStatusErrors(object, scale),
];

export function scaleStatusErrors(object: JsonObject, scale: JsonObject): readonly FieldError[] {
  const selectorPath = asString(scale['labelSelectorPath']);
  return [
    ...replicasErrors(object, asString(scale['statusReplicasPath'])),
    ...(selectorPath === '' ? [] : selectorErrors(object, selectorPath)),
  ];
}

function replicasErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAtPath(object, path);
  if (found === undefined) return [];
  const { value } = found;
  if (found.isBefore || goTypeOf(value) !== 'int64') return [invalidValue(path, 0, accessorError(found, 'int64'))];
  const replicas = typeof value === 'bigint' ? value : Number(value);
  return [
    ...(replicas < 0 ? [invalidValue(path, replicas, 'should be a non-negative integer')] : []),
    ...(replicas > largest ? [invalidValue(path, replicas, `should be less than or equal to ${largest}`)] : []),
  ];
}

function selectorErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = valueAtPath(object, path);
  if (found === undefined || (!found.isBefore && typeof found.value === 'string')) return [];
  return [invalidValue(path, '', accessorError(found, 'string'))];
}

interface Found {
  readonly value: JsonValue;
  readonly at: string;
  /** Is it something on the way, that should have been an object? */
  readonly isBefore: boolean;
}

const accessorError = ({ value, at, isBefore }: Found, wanted: string): string =>
  `${at} accessor error: ${goPrint(value)} is of the type ${goTypeOf(value) ?? '<nil>'}, expected ${
    isBefore ? 'map[string]interface{}' : wanted
  }`;

/** The value at a path such as `.spec.replicas`, or what stands in the way; undefined when nothing is there. */
function valueAtPath(object: JsonObject, path: string): Found | undefined {
  const fields = path.replace(/^\./, '').split('.');
  let value: JsonValue = object;
  for (const [index, field] of fields.entries()) {
    const at = `.${fields.slice(0, index + 1).join('.')}`; // What was looked for, not where.
    if (!isJsonObject(value)) return value === null ? undefined : { value, at, isBefore: true };
    const inner: JsonValue | undefined = Object.hasOwn(value, field) ? value[field] : undefined;
    if (inner === undefined) return undefined;
    value = inner;
  }
  return { value, at: `.${fields.join('.')}`, isBefore: false };
}
