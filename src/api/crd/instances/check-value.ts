import { compileRegex } from '../../../cel/index.ts';
import { CelError } from '../../../cel/vocabulary.ts';
import { isJsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { findFormat } from '../formats/known-formats.ts';
import {
  type ValueAtPath,
  checkList,
  checkNumber,
  checkObjectSchema,
  type CheckValue,
  readValueKind,
  typeError,
} from './check-contents.ts';
import {
  newErrorWithoutPath,
  addError,
  createSchemaFindings,
  newNotInEnum,
  newTooLong,
  newInvalid,
  newWrongType,
  type SchemaFindings,
} from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * Errors of unchanged values are dropped. Follows kube-openapi pkg/validation/validate/schema.go and
 * apiextensions-apiserver pkg/apiserver/validation/ratcheting.go.
 */
export const checkValue: CheckValue = (checked, schema, findings) => {
  const { value } = checked;
  if (value !== null && (typeof value === 'object' || hasBranches(schema)))
    return checkParts(checked, schema, findings);
  const before = findings.errors.length;
  if (value === null) checkNull(checked, schema, findings);
  else checkScalar(checked, schema, findings);
  dropErrorsOfUnchanged(checked, findings, before);
  return undefined;
};

function checkParts(checked: ValueAtPath, schema: ValueSchema, findings: SchemaFindings): void {
  const before = findings.errors.length;
  const { value, path } = checked;
  checkTypes(checked, schema, findings);
  checkBranches(checked, schema, findings);
  findings.matches += 2;
  if (Array.isArray(value)) checkList(checked, value, schema, findings);
  else if (!isJsonObject(value)) checkContent(path, value, schema, findings);
  checkEnum(path, value, schema, findings);
  findings.matches += 1;
  if (isJsonObject(value)) checkObjectSchema(checked, value, schema, findings);
  findings.matches += 1;
  dropErrorsOfUnchanged(checked, findings, before);
}

function checkNull({ path, value }: ValueAtPath, schema: ValueSchema, findings: SchemaFindings): void {
  checkType(path, value, schema, findings);
  checkEnum(path, value, schema, findings);
}

function checkScalar(checked: ValueAtPath, schema: ValueSchema, findings: SchemaFindings): void {
  const { value, path } = checked;
  checkTypes(checked, schema, findings);
  findings.matches += 2;
  checkContent(path, value, schema, findings);
  checkEnum(path, value, schema, findings);
  findings.matches += 2;
}

function checkTypes({ path, value }: ValueAtPath, schema: ValueSchema, findings: SchemaFindings): void {
  if (schema.types.length === 0 && schema.format === '') return;
  checkType(path, value, schema, findings);
  findings.matches += 1;
}

function checkContent(path: string, value: JsonValue, schema: ValueSchema, findings: SchemaFindings): void {
  if (typeof value === 'string') checkText(path, value, schema, findings);
  else if (typeof value === 'number' || typeof value === 'bigint') checkNumber(path, value, schema, findings);
}

/** Ratcheting: a value that the write leaves as it was has no errors. */
function dropErrorsOfUnchanged({ correlated }: ValueAtPath, findings: SchemaFindings, before: number): void {
  if (findings.errors.length > before && correlated?.isUnchanged() === true) findings.errors.length = before;
}

function checkType(path: string, value: JsonValue, schema: ValueSchema, findings: SchemaFindings): void {
  const error = typeError(path, value, schema);
  if (error === undefined) findings.matches += 1;
  else addError(findings, error);
}

function checkEnum(path: string, value: JsonValue, schema: ValueSchema, findings: SchemaFindings): void {
  const { enum: allowed, enumTexts } = schema;
  if (allowed.length === 0 || enumTexts.has(value)) return;
  if (typeof value !== 'string' && allowed.some((one) => isEnumValue(value, one))) return;
  addError(findings, newNotInEnum(path, value, allowed));
}

/** Go converts the value to the enum value's type: 1.5 equals 1, and 97 equals "a". */
function isEnumValue(value: JsonValue, allowed: JsonValue): boolean {
  if (value === null || allowed === null) return false;
  const kind = readValueKind(value);
  const wanted = readValueKind(allowed);
  if (kind === 'integer' || kind === 'number') {
    if (wanted === 'integer') return Math.trunc(Number(value)) === Number(allowed);
    if (wanted === 'number') return Number(value) === Number(allowed);
    return wanted === 'string' && kind === 'integer' && runeToString(Number(value)) === allowed;
  }
  return kind === wanted && (value === allowed || (typeof value === 'object' && isSameJsonText(value, allowed)));
}

const isSameJsonText = (a: JsonValue, b: JsonValue): boolean => JSON.stringify(a) === JSON.stringify(b);

const runeToString = (rune: number): string =>
  rune >= 0 && rune <= 0x10_ff_ff ? String.fromCodePoint(rune) : '\uFFFD';

/** Follows kube-openapi pkg/validation/validate/validator.go stringValidator, formats.go. */
function checkText(path: string, text: string, schema: ValueSchema, findings: SchemaFindings): void {
  findings.matches += 1;
  checkLengthAndPattern(path, text, schema, findings);
  const check = schema.format === '' ? undefined : findFormat(schema.format);
  if (check === undefined) return;
  findings.matches += 1;
  if (!check(text)) addError(findings, newWrongType(path, schema.format, text));
}

/** Reports the first error only. */
function checkLengthAndPattern(path: string, text: string, schema: ValueSchema, findings: SchemaFindings): void {
  const { maxLength, minLength } = schema.limits;
  if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
    return addError(findings, newTooLong(path, maxLength));
  }
  if (minLength !== undefined && codePoints(text) < minLength) {
    return addError(findings, newInvalid(path, text, `should be at least ${minLength} chars long`));
  }
  if (schema.pattern === '') return;
  const error = patternError(schema.pattern, text);
  if (error !== undefined) addError(findings, newInvalid(path, text, `should match '${error}'`));
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const isHigh = (text.charCodeAt(at) & 0xfc_00) === 0xd8_00;
    if (isHigh && (text.charCodeAt(at + 1) & 0xfc_00) === 0xdc_00) count -= 1;
  }
  return count;
}

function patternError(pattern: string, text: string): string | undefined {
  const regex = compileRegex(pattern);
  if (regex instanceof CelError) return `${pattern}, but pattern is invalid: ${regex.message}`;
  return regex.test(text) ? undefined : pattern;
}

const hasBranches = ({ anyOf, oneOf, allOf, not }: ValueSchema): boolean =>
  not !== undefined || anyOf.length > 0 || oneOf.length > 0 || allOf.length > 0;

/** Follows kube-openapi pkg/validation/validate/schema_props.go. */
function checkBranches(checked: ValueAtPath, schema: ValueSchema, findings: SchemaFindings): void {
  if (schema.anyOf.length > 0) checkAnyOf(checked, schema.anyOf, findings);
  if (schema.oneOf.length > 0) checkOneOf(checked, schema.oneOf, findings);
  if (schema.allOf.length > 0) checkAllOf(checked, schema.allOf, findings);
  if (schema.not !== undefined && checkBranch(checked, schema.not).errors.length === 0) {
    addError(findings, newErrorWithoutPath(`${goQuote(checked.path)} must not validate the schema (not)`));
  }
}

/** Errors inside a branch are never dropped. */
function checkBranch({ value, path, check }: ValueAtPath, schema: ValueSchema): SchemaFindings {
  const outcome = createSchemaFindings();
  check({ value, path, correlated: undefined, check }, schema, outcome);
  return outcome;
}

function checkEachBranch(checked: ValueAtPath, branches: readonly ValueSchema[]): readonly SchemaFindings[] {
  const outcomes: SchemaFindings[] = [];
  for (const branch of branches) {
    outcomes.push(checkBranch(checked, branch));
  }
  return outcomes;
}

function mergeFindings(into: SchemaFindings, from: SchemaFindings | undefined): void {
  if (from === undefined) return;
  for (const error of from.errors) addError(into, error);
  into.matches += from.matches;
}

/** The branch with the most passed checks; of equals the first. */
const pickBetter = (best: SchemaFindings | undefined, next: SchemaFindings): SchemaFindings =>
  best === undefined || next.matches > best.matches ? next : best;

function checkAnyOf(checked: ValueAtPath, branches: readonly ValueSchema[], findings: SchemaFindings): void {
  let best: SchemaFindings | undefined;
  for (const branch of branches) {
    const outcome = checkBranch(checked, branch);
    if (outcome.errors.length === 0) return mergeFindings(findings, outcome);
    best = pickBetter(best, outcome);
  }
  addError(findings, newErrorWithoutPath(`${goQuote(checked.path)} must validate at least one schema (anyOf)`));
  mergeFindings(findings, best);
}

function checkOneOf(checked: ValueAtPath, branches: readonly ValueSchema[], findings: SchemaFindings): void {
  const outcomes = checkEachBranch(checked, branches);
  const valid = outcomes.filter(({ errors }) => errors.length === 0);
  if (valid.length === 1) return mergeFindings(findings, valid[0]);
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  addError(
    findings,
    newErrorWithoutPath(`${goQuote(checked.path)} must validate one and only one schema (oneOf). ${found}`),
  );
  if (valid.length > 0) return;
  let best: SchemaFindings | undefined;
  for (const outcome of outcomes) best = pickBetter(best, outcome);
  mergeFindings(findings, best);
}

function checkAllOf(checked: ValueAtPath, branches: readonly ValueSchema[], findings: SchemaFindings): void {
  const outcomes = checkEachBranch(checked, branches);
  for (const outcome of outcomes) mergeFindings(findings, outcome);
  const valid = outcomes.filter(({ errors }) => errors.length === 0).length;
  if (valid === branches.length) return;
  const none = valid === 0 ? '. None validated' : '';
  addError(findings, newErrorWithoutPath(`${goQuote(checked.path)} must validate all the schemas (allOf)${none}`));
}
