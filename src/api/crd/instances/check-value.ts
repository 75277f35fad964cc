import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import type { Checked, CheckValue } from './checked.ts';
import { checkBranches, hasBranches } from './check-branches.ts';
import { checkList, checkObject } from './check-contents.ts';
import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import { complain, notInEnum } from './findings.ts';
import type { Findings } from './findings.ts';
import { kindOf, typeError } from './value-kind.ts';
import type { ValueSchema } from './value-schema.ts';

/**
 * Checks a value against a schema. What is wrong with a value that is as it was before is not told.
 * The order of the checks, and what counts as a match, follow kube-openapi pkg/validation/validate/schema.go; what is
 * forgiven follows apiextensions-apiserver pkg/apiserver/validation/ratcheting.go.
 */
export const checkValue: CheckValue = (checked, schema, findings) => {
  const { value } = checked;
  if (value !== null && (typeof value === 'object' || hasBranches(schema)))
    return checkParts(checked, schema, findings);
  const before = findings.errors.length;
  if (value === null) checkNull(checked, schema, findings);
  else checkScalar(checked, schema, findings);
  forgive(checked, findings, before);
  return undefined;
};

function checkParts(checked: Checked, schema: ValueSchema, findings: Findings): void {
  const before = findings.errors.length;
  const { value, path } = checked;
  checkTypes(checked, schema, findings);
  checkBranches(checked, schema, findings);
  findings.matches += 2;
  if (Array.isArray(value)) checkList(checked, value, schema, findings);
  else if (!isJsonObject(value)) checkContent(path, value, schema, findings);
  checkEnum(path, value, schema, findings);
  findings.matches += 1;
  if (isJsonObject(value)) checkObject(checked, value, schema, findings);
  findings.matches += 1;
  forgive(checked, findings, before);
}

function checkNull({ path, value }: Checked, schema: ValueSchema, findings: Findings): void {
  checkType(path, value, schema, findings);
  checkEnum(path, value, schema, findings);
}

function checkScalar(checked: Checked, schema: ValueSchema, findings: Findings): void {
  const { value, path } = checked;
  checkTypes(checked, schema, findings);
  findings.matches += 2;
  checkContent(path, value, schema, findings);
  checkEnum(path, value, schema, findings);
  findings.matches += 2;
}

function checkTypes({ path, value }: Checked, schema: ValueSchema, findings: Findings): void {
  if (schema.types.length === 0 && schema.format === '') return;
  checkType(path, value, schema, findings);
  findings.matches += 1;
}

function checkContent(path: string, value: JsonValue, schema: ValueSchema, findings: Findings): void {
  if (typeof value === 'string') checkText(path, value, schema, findings);
  else if (typeof value === 'number' || typeof value === 'bigint') checkNumber(path, value, schema, findings);
}

function forgive({ correlated }: Checked, findings: Findings, before: number): void {
  if (findings.errors.length > before && correlated?.isUnchanged() === true) findings.errors.length = before;
}

function checkType(path: string, value: JsonValue, schema: ValueSchema, findings: Findings): void {
  const error = typeError(path, value, schema);
  if (error === undefined) findings.matches += 1;
  else complain(findings, error);
}

function checkEnum(path: string, value: JsonValue, schema: ValueSchema, findings: Findings): void {
  const { enum: allowed, enumTexts } = schema;
  if (allowed.length === 0 || enumTexts.has(value)) return;
  if (typeof value !== 'string' && allowed.some((one) => isEnumValue(value, one))) return;
  complain(findings, notInEnum(path, value, allowed));
}

/** Go converts the value to the type of the enum's before it compares: 1.5 is 1, and 97 is "a". */
function isEnumValue(value: JsonValue, allowed: JsonValue): boolean {
  if (value === null || allowed === null) return false;
  const kind = kindOf(value);
  const wanted = kindOf(allowed);
  if (kind === 'integer' || kind === 'number') {
    if (wanted === 'integer') return Math.trunc(Number(value)) === Number(allowed);
    if (wanted === 'number') return Number(value) === Number(allowed);
    return wanted === 'string' && kind === 'integer' && runeText(Number(value)) === allowed;
  }
  return kind === wanted && (value === allowed || (typeof value === 'object' && isSameText(value, allowed)));
}

const isSameText = (a: JsonValue, b: JsonValue): boolean => JSON.stringify(a) === JSON.stringify(b);

const runeText = (rune: number): string => (rune >= 0 && rune <= 0x10_ff_ff ? String.fromCodePoint(rune) : '\uFFFD');
