import { findingsOf } from '../../../explain/findings/findings-of.ts';
import type { Place } from '../../../testing/scenario/format.ts';
import type { Finding } from '../../../testing/scenario/report/findings.ts';
import { sarifOf } from '../../../testing/scenario/report/sarif.ts';
import type { SarifAbout } from '../../../testing/scenario/report/sarif.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import { refusalMessage } from '../../../explain/trace/refusal-message.ts';
import { summaryOf } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';

/** SARIF 2.1.0 of what is found in requests, each with the place that it is shown at; a refusal that no finding is about is a result, too. */
export const explainSarif = (
  explained: readonly { readonly trace: Trace; readonly place: Place }[],
  about: SarifAbout,
): string =>
  sarifOf(
    explained.flatMap(({ trace, place }) => resultsOf(maskTrace(trace), place)),
    { ...about, descriptionOf },
  );

function resultsOf(trace: Trace, place: Place): readonly Finding[] {
  const title = sentenceOf(trace);
  const found = findingsOf(trace).map(({ rule, severity, title: what, evidence, remedy }) => ({
    rule: `finding/${rule}`,
    level: severity,
    title,
    message: [what, ...evidence.map(({ text }) => text), remedy].join('\n'),
    place,
  }));
  if (trace.verdict === 'admitted' || found.some(({ level }) => level === 'error')) return found;
  return [{ rule: 'refused', level: 'error', title, message: refusalMessage(trace), place }, ...found];
}

function sentenceOf(trace: Trace): string {
  const { verb, resource, namespace, name, verdict } = summaryOf(trace);
  return [`${verdict}: ${verb} ${resource}`, name, namespace === '' ? '' : `in ${namespace}`]
    .filter((word) => word !== '')
    .join(' ');
}

const descriptionOf = (rule: string): string =>
  rule === 'refused'
    ? 'The request was refused'
    : `What a request shows: docs/reference/findings.md#${rule.slice('finding/'.length)}`;
