import { compileRegex } from '../../../cel/index.ts';
import { CelError } from '../../../cel/vocabulary.ts';
import { knownFormat } from '../formats/known-formats.ts';
import { complain, tooLongText, unfit, wrongType } from './findings.ts';
import type { Findings } from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

/** Length, pattern and format. Follows kube-openapi pkg/validation/validate/validator.go stringValidator, formats.go. */
export function checkText(path: string, text: string, schema: ValueSchema, findings: Findings): void {
  findings.matches += 1;
  checkLengthAndPattern(path, text, schema, findings);
  const check = schema.format === '' ? undefined : knownFormat(schema.format);
  if (check === undefined) return;
  findings.matches += 1;
  if (!check(text)) complain(findings, wrongType(path, schema.format, text));
}

/** The first complaint is the only one. */
function checkLengthAndPattern(path: string, text: string, schema: ValueSchema, findings: Findings): void {
  const { maxLength, minLength } = schema.limits;
  if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
    return complain(findings, tooLongText(path, maxLength));
  }
  if (minLength !== undefined && codePoints(text) < minLength) {
    return complain(findings, unfit(path, text, `should be at least ${minLength} chars long`));
  }
  if (schema.pattern === '') return;
  const error = patternError(schema.pattern, text);
  if (error !== undefined) complain(findings, unfit(path, text, `should match '${error}'`));
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    const isHigh = (text.charCodeAt(at) & 0xfc_00) === 0xd8_00;
    if (isHigh && (text.charCodeAt(at + 1) & 0xfc_00) === 0xdc_00) count -= 1;
  }
  return count;
}

/** What the text should have matched; undefined when it does. */
function patternError(pattern: string, text: string): string | undefined {
  const regex = compileRegex(pattern);
  if (regex instanceof CelError) return `${pattern}, but pattern is invalid: ${regex.message}`;
  return regex.test(text) ? undefined : pattern;
}
