import type { FieldError } from '../../apimachinery/field-error.ts';
import { goQuote } from '../../apimachinery/field-error.ts';
import { isJsonObject, isList } from '../../apimachinery/json.ts';
import type { GroupResource } from '../../apimachinery/gvk.ts';
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

/** Pull request 132798 (1.35) shows the value that a rule refused, 130569 (1.34) values as JSON. */
function olderValue(error: FieldError, subject: Subject, minor: number): string | undefined {
  const { ruleOf, given, field, type } = error;
  if (ruleOf !== undefined && minor < 35)
    return type === 'FieldValueForbidden' || type === 'FieldValueRequired' ? undefined : goQuote(ruleOf);
  if (minor >= 34 || given === undefined || error.value === undefined) return error.value;
  const named = typedFields.find(
    ([pattern, , resource]) =>
      pattern.test(field) && (resource === undefined || resource === `${subject.group}/${subject.resource}`),
  );
  if (typeof given === 'string') return scalarForm(given, error, named?.[1]);
  if (isList(given) || isJsonObject(given)) {
    return goForm(given, subject.isCustom ? 'interface {}' : (named?.[1] ?? typeOf(given)));
  }
  if (given !== null) return named?.[1] === 'uint64' ? goForm(given, 'uint64') : error.value;
  return named?.[1].startsWith('[]') === true ? goForm(null, named[1]) : '"null"';
}

/** The name of a counted resource is more than a string: it says how it is printed. */
const countedNames = /\.(?:limits|requests|hard|min|max|default|defaultRequest|maxLimitRequestRatio|used)\[([^\]]*)\]$/;

function scalarForm(given: string, { field, value }: FieldError, type: string | undefined): string | undefined {
  if (countedNames.exec(field)?.[1] === given) return given;
  return type === '[]byte' || type === 'resource.Quantity' ? goForm(given, type) : value;
}

function olderDetail({ type, field, detail }: FieldError, minor: number): string {
  const row = detailRows.find(
    (one) => minor < one.since && one.type === type && one.now === detail && one.field.test(field),
  );
  return row === undefined ? detail : row.before;
}
