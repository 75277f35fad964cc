import { sameJson } from '../../../machinery/json/json-equal.ts';
import { findingsOf } from '../../../explain/findings/findings-of.ts';
import type { Finding } from '../../../explain/findings/finding.ts';
import { type HistoryFinding, historyFindings } from '../../../explain/findings/history.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import { summaryOf } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import type { StepObservation } from './step-observation.ts';

/** All warnings and errors must be expected; notes and findings of an object's history count only where named. Needs the trace. */
export function checkFindings(
  { findings, place }: Expectation,
  { trace, earlier }: StepObservation,
): readonly Failure[] {
  if (findings === undefined || trace === undefined) return [];
  const named: ReadonlySet<string> = new Set(findings);
  const found = [
    ...findingsOf(maskTrace(trace)).filter(({ severity, rule }) => severity !== 'note' || named.has(rule)),
    ...historyFindings(writesOfSame(trace, earlier)).filter(({ rule }) => named.has(rule)),
  ];
  const rules = sorted(found.map(({ rule }) => rule));
  const wanted = sorted(findings);
  if (sameJson(rules, wanted)) return [];
  const message = [
    ...wanted
      .filter((rule) => !rules.some((one) => one === rule))
      .map((rule) => `${rule} was expected, and nothing of the kind was found`),
    ...found.filter(({ rule }) => !named.has(rule)).map(text),
  ];
  return [{ what: 'findings', place, message: message.join('; ') }];
}

/** All writes of the last write's object, oldest first. */
function writesOfSame(last: Trace, earlier: readonly Trace[]): readonly Trace[] {
  const wanted = keyOf(last);
  return [...earlier.filter((one) => keyOf(one) === wanted), last];
}

function keyOf(trace: Trace): string {
  const { resource, namespace, name } = summaryOf(trace);
  return [resource, namespace, name].join(' ');
}

const sorted = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));

const text = ({ rule, title }: Pick<Finding, 'rule' | 'title'> | HistoryFinding): string =>
  `${rule} was not expected: ${title}`;
