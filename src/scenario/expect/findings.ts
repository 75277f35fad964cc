import { sameJson } from '../../apimachinery/json-equal.ts';
import { findingsOf } from '../../findings/findings-of.ts';
import type { Finding } from '../../findings/finding.ts';
import { maskTrace } from '../../trace/mask.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import type { Shown } from './shown.ts';

/** What is worth knowing of the request, by rules: all faults that were found, and notes where they are named. Needs the trace. */
export function checkFindings({ findings, place }: Expectation, { trace }: Shown): readonly Failure[] {
  if (findings === undefined || trace === undefined) return [];
  const found = findingsOf(maskTrace(trace)).filter(
    ({ severity, rule }) => severity !== 'note' || findings.includes(rule),
  );
  const rules = sorted(found.map(({ rule }) => rule));
  const wanted = sorted(findings);
  if (sameJson(rules, wanted)) return [];
  const extra = found.filter(({ rule }) => !findings.includes(rule));
  const missing = wanted.filter((rule) => !rules.includes(rule));
  const message = [
    ...missing.map((rule) => `${rule} was expected, and nothing of the kind was found`),
    ...extra.map(text),
  ];
  return [{ what: 'findings', place, message: message.join('; ') }];
}

const sorted = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));

const text = ({ rule, title }: Finding): string => `${rule} was not expected: ${title}`;
