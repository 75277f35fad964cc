import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { AnsweredPart, AnsweredResult, CelAnswer } from './answer.ts';

/** An answer for people: the tree of parts when there is one, then value or error, type and cost. */
export function answerLines({
  value = null,
  type,
  cost,
  error,
  estimatedMaxCost,
  explained,
}: CelAnswer): readonly string[] {
  const result = error === undefined ? `value  ${writeJson(value)}` : `error  ${error}`;
  const tree = explained === undefined ? [] : [...partLines(explained, ''), ''];
  const most = estimatedMaxCost === undefined ? '' : `, at most ${estimatedMaxCost}`;
  return [...tree, result, `type   ${type}`, `cost   ${cost}${most}`];
}

function partLines({ expression, results, parts }: AnsweredPart, indent: string): readonly string[] {
  const line = `${indent}${shortened(expression, longestExpression)}  =>  ${resultsText(results)}`;
  if (results.length === 0) return [line]; // Nor were its parts.
  return [line, ...parts.flatMap((part) => partLines(part, `${indent}  `))];
}

const mostResults = 8;

function resultsText(results: readonly AnsweredResult[]): string {
  if (results.length === 0) return 'not evaluated';
  const shown = results.slice(0, mostResults).map(resultText);
  const hidden = results.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ');
}

const resultText = (result: AnsweredResult): string =>
  'error' in result ? `error: ${result.error}` : shortened(writeJson(result.value), longestValue);

const longestExpression = 120;
const longestValue = 80;

const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;
