import type { Trace, TracedDecision } from '../../trace/trace.ts';
import { actorOf, actorText, type Finding, isSameActor } from '../finding.ts';
import { adviceFor, failureText, phaseSentence } from '../failure-advice.ts';
import { calleeOf, type TraceView } from '../trace-view.ts';

/** A webhook or policy failed, failurePolicy is Ignore, and the write went through without it. */
export const unchecked = ({ trace, decisions }: TraceView): readonly Finding[] =>
  trace.verdict === 'refused'
    ? []
    : decisions.flatMap(({ record, at }) => {
        const failure = failureOf(record);
        if (failure === undefined) return [];
        const own = decisions.filter((one) => isSameActor(one.actor, actorOf(record)));
        if (own.some((one) => one.at < at && failureOf(one.record) !== undefined)) return [];
        const isPart = own.some((one) => one.changes.length > 0);
        return [finding({ decision: record, at, failure, worked: successfulCallIndex(record, trace), isPart }, trace)];
      });

/** undefined when it did not fail. */
function failureOf(decision: TracedDecision): string | undefined {
  if (decision.type === 'plugin') return undefined;
  if (decision.reason?.because === 'matchCondition-error') return `a matchCondition failed: ${decision.reason.error}`;
  if (decision.outcome !== 'failed-open') return undefined;
  if (decision.type === 'policy') return decision.error ?? '';
  const { failurePhase } = decision;
  return `failed ${failurePhase ? phaseSentence(failurePhase) : ''}: ${failureText(decision)}`;
}

/** An object that is marked for deletion is admitted twice; of other requests only the last attempt counts. */
function successfulCallIndex(decision: TracedDecision, { admission }: Trace): number {
  const { attempt = 0, object, again } = decision;
  return admission.findIndex(
    (one) =>
      (one.outcome === 'called' || one.outcome === 'evaluated') &&
      calleeOf(one) === calleeOf(decision) &&
      one.object === object &&
      (again === 'removal' || (one.attempt ?? 0) === attempt),
  );
}

interface Failure {
  readonly decision: TracedDecision;
  readonly at: number;
  readonly failure: string;
  /** The index of a successful call for the same object; -1 when there is none. */
  readonly worked: number;
  /** Some of its mutations were applied. */
  readonly isPart: boolean;
}

function finding({ decision, at, failure, worked, isPart }: Failure, { request }: Trace): Finding {
  const actor = actorOf(decision);
  const without = missingText({ decision, at, worked, isPart });
  const went = admittedText(request, decision.object);
  const isAssumed = decision.type === 'webhook' && decision.assumed !== undefined;
  const why = isAssumed ? '--assume ignores it' : 'it failed and failurePolicy is Ignore';
  const advice = isAssumed ? [startAdvice] : decision.type === 'webhook' ? adviceFor(decision) : [];
  return {
    rule: 'unchecked',
    severity: isAssumed ? 'note' : 'warning',
    title: `${went} without the ${without} of ${actorText(actor)}: ${why}`,
    where: { actors: [actor], fields: [] },
    evidence: [
      { text: isAssumed ? 'it was not called' : failure, decision: at },
      ...advice.slice(0, -1).map((text) => ({ text, decision: at })),
    ],
    remedy: advice.at(-1) ?? 'correct the expression; with failurePolicy: Fail the request would have been refused',
  };
}

/** `change`; `second change` after a successful first call; `whole change` when a policy applied some mutations. */
function missingText({ decision, at, worked, isPart }: Omit<Failure, 'failure'>): string {
  const what = decision.phase === 'mutating' ? 'change' : 'check';
  if (worked >= 0) return `${worked < at ? 'second' : 'first'} ${what}`;
  return decision.type === 'policy' && isPart ? `whole ${what}` : what;
}

/** `object`: of a deletecollection. */
function admittedText({ dryRun, verb, subresource }: Trace['request'], object: string | undefined): string {
  if (dryRun) return 'the dry run went through';
  if (object !== undefined) return `the deletion of ${object} was admitted`;
  if (verb === 'delete') return 'the deletion was admitted';
  const isStored = ['create', 'update', 'patch'].includes(verb) && ['', 'status', 'scale'].includes(subresource);
  return isStored ? 'stored' : 'the request went through';
}

const startAdvice = 'run it, and map its Service with --map';
