import type { FieldError } from '../../machinery/meta/field-error.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { isJsonObject, isList } from '../../machinery/json/json.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import { goForm, typeOf } from './go-form.ts';
import { typedFields } from './go-structs.ts';
import { detailRows } from './older-details.ts';

/** What complaints are about: a resource, and whether a definition made it. */
export interface Subject extends GroupResource {
  readonly isCustom: boolean;
}

/** The same complaints as a release puts them into words. */
export type InWords = (errors: readonly FieldError[], subject: Subject) => readonly FieldError[];

/** The words of a minor release before 1.36; undefined where they are those of 1.36. */
export const olderWords =
  (minor: number): InWords =>
  (errors, subject) =>
    errors.map((error) => earlier(error, subject, minor));

function earlier(error: FieldError, subject: Subject, minor: number): FieldError {
  const value = olderValue(error, subject, minor);
  return { ...error, detail: olderDetail(error, minor), ...(value === undefined ? {} : { value }) };
}

/**
 * Follows apiextensions-apiserver pkg/apiserver/schema/cel/validation.go of 1.34 and 1.35, and apimachinery
 * pkg/util/validation/field/errors.go of 1.33 and 1.34.
 */
function olderValue(error: FieldError, subject: Subject, minor: number): string | undefined {
  const { ruleOf, given, type, value } = error;
  if (ruleOf !== undefined && minor < 35) return wordless.has(type) ? undefined : goQuote(ruleOf);
  return minor >= 34 || given === undefined || value === undefined ? value : shownIn(error, subject, given);
}

function shownIn(error: FieldError, subject: Subject, given: JsonValue): string | undefined {
  if (typeof given === 'string') return scalarForm(given, error, typeAt(error, subject));
  if (given === null || typeof given === 'number') return plainForm(given, typeAt(error, subject)) ?? error.value;
  if (!isList(given) && !isJsonObject(given)) return error.value;
  const isFree = subject.isCustom && !error.field.startsWith('metadata.');
  return goForm(given, isFree ? 'interface {}' : (typeAt(error, subject) ?? typeOf(given)));
}

/** Complaints of these types show no value. */
const wordless: ReadonlySet<string> = new Set(['FieldValueForbidden', 'FieldValueRequired']);

const typeAt = ({ field }: FieldError, { group, resource }: Subject): string | undefined =>
  typedFields.find(
    ([pattern, , of]) => pattern.test(field) && (of === undefined || of === `${group}/${resource}`),
  )?.[1];

function plainForm(given: number | null, type = ''): string | undefined {
  if (given === null) return type.startsWith('[]') ? goForm(given, type) : '"null"';
  return type === 'uint64' ? goForm(given, type) : undefined;
}

/** The name of a counted resource is more than a string: it says how it is printed. */
function countedName(field: string): string | undefined {
  if (!field.endsWith(']')) return undefined;
  const last = field.slice(field.lastIndexOf(']', field.length - 2) + 1, -1);
  return counted.exec(last)?.[1];
}

const counted = /\.(?:limits|requests|hard|min|max|default|defaultRequest|maxLimitRequestRatio|used)\[([^]*)/;

function scalarForm(given: string, { field, value }: FieldError, type: string | undefined): string | undefined {
  if (countedName(field) === given) return given;
  return type === '[]byte' || type === 'resource.Quantity' ? goForm(given, type) : value;
}

function olderDetail({ type, field, detail }: FieldError, minor: number): string {
  const row = detailRows.find(
    (one) => minor < one.since && one.type === type && one.now === detail && one.field.test(field),
  );
  if (row !== undefined) return row.before;
  // apimachinery pkg/util/validation/validation.go IsQualifiedName of 1.34, and pkg/api/validate/content/kube.go of 1.35.
  return minor < 35 ? detail.replace(/^a valid label key /, 'a qualified name ') : detail;
}
