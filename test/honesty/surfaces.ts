import { coverageOf } from '../../src/explain/trace/coverage.ts';
import { compareRuns } from '../../src/explain/render/compare-runs.ts';
import { summaryOf } from '../../src/explain/trace/trace-summary.ts';
import type { TableRow } from '../../src/explain/render/decision-table.ts';
import { digestOf } from '../../src/explain/render/digest.ts';
import { callsOf, type WebhookCall, hasEffect, type Truth } from './truth.ts';
import type { Chain, ChainWebhook } from './chain.ts';

/** False statements of lists, Compare and Coverage. */
export const surfaceProblems = (chain: Chain, truths: readonly Truth[]): readonly string[] => [
  ...truths.flatMap(summaryProblems),
  ...truths.slice(1).flatMap((truth, at) => compareProblems(truths[at] ?? truth, truth)),
  ...coverageProblems(chain, truths),
];

function summaryProblems(truth: Truth): readonly string[] {
  const { webhooks, verdict, code } = summaryOf(truth.played.trace);
  const by = (outcome: string): readonly string[] => [
    ...new Set(truth.done.filter((one) => one.outcome === outcome).map(({ webhook }) => webhook)),
  ];
  const { refusedBy } = digestOf(truth.played.trace);
  const isKnown =
    !truth.chain.webhooks.some(({ name }) => name === refusedBy) ||
    callsOf(truth, refusedBy).some(({ outcome }) => outcome !== 'allowed') ||
    !truth.isAdmitted;
  return [
    ...differs('summary: called', webhooks.called, by('allowed')),
    ...differs('summary: denied', webhooks.denied, by('denied')),
    ...differs('summary: failed', webhooks.failed, by('failed')),
    ...webhooks.skipped
      .filter((name) => callsOf(truth, name).length > 0)
      .map((name) => `summary: skipped ${name}: it was called`),
    ...(code === truth.played.code && (verdict === 'admitted') === truth.isAdmitted
      ? []
      : [`summary: ${verdict} ${code}`]),
    ...((refusedBy === '') === truth.isAdmitted && isKnown ? [] : [`digest: refused by ${JSON.stringify(refusedBy)}`]),
  ];
}

function differs(what: string, said: readonly string[], is: readonly string[]): readonly string[] {
  const [one, other] = [said.toSorted().join(), is.toSorted().join()];
  return one === other ? [] : [`${what} ${one || 'none'}, and it was ${other || 'none'}`];
}

function compareProblems(one: Truth, other: Truth): readonly string[] {
  const { callees } = compareRuns(one.played.trace, other.played.trace);
  return callees.flatMap(({ name, sides }) => {
    const decision = (sides[0] ?? sides[1])?.decision;
    if (decision?.type !== 'webhook') return [];
    return sides.flatMap((row, at) => rowProblems(row, callsOf(at === 0 ? one : other, decision.name), name));
  });
}

function rowProblems(row: TableRow | undefined, calls: readonly WebhookCall[], name: string): readonly string[] {
  const about = `compare: ${name} ${row?.result ?? 'not considered'}`;
  const isCalled = row?.milliseconds !== undefined && row.result !== 'refused';
  if (isCalled !== calls.length > 0) return [`${about}: ${calls.length} calls`];
  return row && isCalled && row.result !== 'called, refused' ? callsProblem(row, calls, about) : [];
}

function callsProblem(row: TableRow, calls: readonly WebhookCall[], about: string): readonly string[] {
  if (calls.some(({ outcome }) => outcome !== 'allowed')) return [];
  if (row.result !== (calls.length > 1 ? `called ${calls.length}x` : 'called'))
    return [`${about}: ${calls.length} calls`];
  const hasChanged = !/^(?:changed nothing.*)?$/.test(row.changed);
  return hasChanged === calls.some(hasEffect) ? [] : [`${about} changed: ${row.changed}`];
}

function coverageProblems({ webhooks }: Chain, truths: readonly Truth[]): readonly string[] {
  const { webhooks: all } = coverageOf(truths.map(({ played }) => played.trace));
  return all.flatMap(({ name, outcomes }) => {
    const calls = truths.flatMap((truth) => callsOf(truth, name));
    const count = (outcome: string): number => calls.filter((one) => one.outcome === outcome).length;
    const failed = outcomes['failed-open'] + outcomes['failed-closed'];
    const said = [outcomes.called, outcomes.denied, failed];
    const is = [count('allowed'), count('denied'), count('failed')];
    const isThere = webhooks.some((webhook: ChainWebhook) => webhook.name === name);
    return said.join() === is.join() && isThere ? [] : [`coverage: ${name} ${said.join()}, and it was ${is.join()}`];
  });
}
