import type { Trace, TracedDecision } from '../../trace/trace.ts';
import { actorOf, actorText } from '../actor.ts';
import { adviceFor, failureText, phaseSentence } from '../failure-advice.ts';
import type { Finding } from '../finding.ts';
import { isAsked } from '../late-items.ts';
import type { Reading } from '../reading.ts';

/** A webhook or policy could not be asked, failurePolicy is Ignore, and the write went in without its check or change. */
export const unchecked = ({ trace, turns }: Reading): readonly Finding[] =>
  trace.verdict === 'refused'
    ? []
    : turns.flatMap(({ decision, at, callee }) => {
        const failure = failureOf(decision);
        if (failure === undefined) return [];
        const wasCalled = turns.some((one) => one.callee === callee && one.at < at && isAsked(one));
        return [finding(decision, at, { failure, wasCalled }, trace)];
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

interface Failure {
  readonly failure: string;
  /** In the first round, without a failure. */
  readonly wasCalled: boolean;
}

function finding(decision: TracedDecision, at: number, { failure, wasCalled }: Failure, { request }: Trace): Finding {
  const actor = actorOf(decision);
  const without = missingWords(decision, wasCalled);
  const went = wentWords(request);
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

/** `change`; `second change` after a first one, `whole change` of a policy of which some mutations were applied. */
function missingWords(decision: TracedDecision, wasCalled: boolean): string {
  const what = decision.phase === 'mutating' ? 'change' : 'check';
  if (wasCalled) return `second ${what}`;
  return decision.type === 'policy' && (decision.patch ?? []).length > 0 ? `whole ${what}` : what;
}

function wentWords({ dryRun, verb, subresource }: Trace['request']): string {
  if (dryRun) return 'the dry run went through';
  if (verb === 'delete') return 'the deletion was admitted';
  const isStored = ['create', 'update', 'patch'].includes(verb) && ['', 'status', 'scale'].includes(subresource);
  return isStored ? 'the object was stored' : 'the request went through';
}

const runIt = 'run it, and say with --map where it listens';
