import { useEffect, useMemo, useState } from 'preact/hooks';
import { followedVersion } from '../../machinery/meta/release-names.ts';
import { type ComparedCallee, compareRuns } from '../../explain/render/compare-runs.ts';
import type { TableRow } from '../../explain/render/decision-table.ts';
import { diffOf } from '../../explain/trace/object-diff.ts';
import { type NumberedSummary, summaryOf } from '../../explain/trace/trace-summary.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { findComparableRuns, findClosestRun } from '../comparable-runs.ts';
import type { PageSource } from '../page-source.ts';
import { useTrace } from '../use-loaded.ts';
import { clockTime, durationText, objectName } from '../words.ts';
import { DiffView } from './json-view.tsx';

export interface ComparePaneProps {
  readonly source: PageSource;
  readonly trace: Trace;
  readonly reveal: boolean;
  /** Newest first. */
  readonly requests: readonly NumberedSummary[];
}

/** This run and an earlier one: verdicts, calls, warnings, time and objects. */
export function ComparePane({ source, trace, reveal, requests }: ComparePaneProps) {
  const others = useMemo(() => findComparableRuns(trace.id, requests), [trace.id, requests]);
  const closest = useMemo(() => findClosestRun(trace.id, requests), [trace.id, requests]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  useEffect(() => setChosen(undefined), [trace.id]);
  const id = chosen ?? closest;
  if (id === undefined) return <p class="empty">No other recorded write of this resource to compare with.</p>;
  return (
    <>
      <label class="compare-choice">
        {'Compare with '}
        <select value={id} onChange={(event) => setChosen(event.currentTarget.value)}>
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {`${clockTime(one.startedAt)}  ${one.verb} ${objectName(one)}  ${one.code}${one.dryRun ? ', dry run' : ''}`}
            </option>
          ))}
        </select>
      </label>
      <OtherRun source={source} id={id} trace={trace} reveal={reveal} />
    </>
  );
}

function OtherRun({ source, id, trace, reveal }: Omit<ComparePaneProps, 'requests'> & { readonly id: string }) {
  const state = useTrace(source, id, reveal);
  if (state.state === 'loading') return <p class="empty">Loading …</p>;
  if (state.state === 'gone')
    return <p class="empty">That request is no longer in memory; only the latest writes are.</p>;
  return <Runs reference={state.trace} current={trace} />;
}

function Runs({ reference, current }: { readonly reference: Trace; readonly current: Trace }) {
  const { callees, warnings, changes } = useMemo(() => compareRuns(reference, current), [reference, current]);
  return (
    <>
      <table class="runs" aria-label="Two runs side by side">
        <thead>
          <tr>
            <td />
            <th scope="col">that run, {runName(reference, current)}</th>
            <th scope="col">this run, {runName(current, reference)}</th>
          </tr>
        </thead>
        <tbody>
          <tr class={reference.response.code === current.response.code ? '' : 'is-other'}>
            <th scope="row">verdict</th>
            <td>{verdictText(reference)}</td>
            <td>{verdictText(current)}</td>
          </tr>
          <tr>
            <th scope="row">time</th>
            <td>{durationText(summaryOf(reference).milliseconds)}</td>
            <td>{durationText(summaryOf(current).milliseconds)}</td>
          </tr>
          {callees.map((callee) => (
            <CalleeRow key={callee.name} callee={callee} />
          ))}
          {warnings.map((warning) => (
            <tr key={warning.text} class={warning.in[0] === warning.in[1] ? '' : 'is-other'}>
              <th scope="row">warning: {warning.text}</th>
              <td>{warning.in[0] ? 'yes' : 'no'}</td>
              <td>{warning.in[1] ? 'yes' : 'no'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Differences between the objects</h3>
      {changes.length === 0 ? (
        <p class="quiet">Nothing.</p>
      ) : (
        <>
          <p class="quiet">− the other request, + this request</p>
          <DiffView lines={diffOf(changes)} />
        </>
      )}
    </>
  );
}

/** By the release where the two differ in it, otherwise by the time. */
const runName = (run: Trace, other: Trace): string =>
  run.release === other.release ? clockTime(run.startedAt) : `Kubernetes ${run.release ?? followedVersion}`;

const verdictText = ({ verdict, response: { code, status } }: Trace): string => {
  const message = typeof status?.['message'] === 'string' && verdict === 'refused' ? `: ${status['message']}` : '';
  return `${verdict} ${code}${message}`;
};

const CalleeRow = ({ callee: { name, sides, differs } }: { readonly callee: ComparedCallee }) => (
  <tr class={differs ? 'is-other' : ''}>
    <th scope="row">{name}</th>
    {sides.map((side, at) => (
      <td key={at}>{side ? <Side row={side} /> : <span class="quiet">not considered</span>}</td>
    ))}
  </tr>
);

/** The row of an explanation: its result, and what it changed or why it was skipped. */
const Side = ({ row: { result, changed, milliseconds, decision } }: { readonly row: TableRow }) => (
  <>
    {[result, result === 'skipped' ? decision.sentence : changed].filter(Boolean).join(', ')}{' '}
    {milliseconds !== undefined && <span class="quiet">{durationText(milliseconds)}</span>}
  </>
);
