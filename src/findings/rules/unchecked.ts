import type { Trace, TracedDecision } from '../../trace/trace.ts';
import { actorOf, actorText } from '../actor.ts';
import { adviceFor, failureText, phaseSentence } from '../failure-advice.ts';
import type { Finding } from '../finding.ts';
import type { Reading } from '../reading.ts';

/** A webhook or policy could not be asked, failurePolicy is Ignore, and the write went in without its check or change. */
export const unchecked = ({ trace, turns }: Reading): readonly Finding[] =>
  trace.verdict === 'refused'
    ? []
    : turns.flatMap(({ decision, at }) => {
        const failure = failureOf(decision);
        return failure === undefined ? [] : [finding(decision, at, failure, trace)];
      });

/** What went wrong; undefined for one that was asked, or not meant. */
function failureOf(decision: TracedDecision): string | undefined {
  if (decision.type === 'plugin') return undefined;
  if (decision.reason?.because === 'matchCondition-error') return `a matchCondition failed: ${decision.reason.error}`;
  if (decision.outcome !== 'failed-open') return undefined;
  if (decision.type === 'policy') return decision.error ?? '';
  const { failurePhase } = decision;
  return `failed ${failurePhase ? phaseSentence(failurePhase) : ''}: ${failureText(decision)}`;
}

function finding(decision: TracedDecision, at: number, failure: string, { request }: Trace): Finding {
  const actor = actorOf(decision);
  const without = decision.phase === 'mutating' ? 'change' : 'check';
  const went = request.dryRun
    ? 'the dry run went through'
    : request.verb === 'delete'
      ? 'the object was deleted'
      : 'the object was stored';
  const isAssumed = decision.type === 'webhook' && decision.assumed !== undefined;
  const why = isAssumed ? 'is assumed to fail open (--assume)' : 'failed open: its failurePolicy is Ignore';
  const advice = isAssumed ? [runIt] : decision.type === 'webhook' ? adviceFor(decision) : [];
  return {
    rule: 'unchecked',
    severity: isAssumed ? 'note' : 'warning',
    title: `${went} without the ${without} of ${actorText(actor)}, which ${why}`,
    where: { actors: [actor], fields: [] },
    evidence: [
      { text: isAssumed ? 'it was not called' : failure, decision: at },
      ...advice.slice(0, -1).map((text) => ({ text, decision: at })),
    ],
    remedy: advice.at(-1) ?? 'correct the expression; with failurePolicy: Fail the request would have been refused',
  };
}

const runIt = 'run it, and say with --map where it listens';
