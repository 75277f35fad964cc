import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { changeWords } from '../change-words.ts';
import type { Finding } from '../finding.ts';
import { decisionCalled } from '../late-items.ts';
import type { FieldChange } from '../../trace/object-changes.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/** A webhook or policy was called in the second round, or a plugin changed other fields in it than in the first. */
export const calledAgain = ({ decisions }: TraceView): readonly Finding[] =>
  decisions.flatMap((again) => {
    if (again.round === 0 || again.record.phase !== 'mutating') return [];
    const first = decisions.find((one) => one.round === 0 && one.callee === again.callee);
    if (first === undefined || !isAskedTwice(first, again) || !hadPart(again, first)) return [];
    const causes = decisions.filter(
      (one) => one.at > first.at && one.at < again.at && isCallee(one) && one.hasEffect && one.changes.length > 0,
    );
    const [cause] = causes;
    return cause === undefined ? [] : [finding(again, cause, causes)];
  });

/** Plugins run in both rounds. */
const isAskedTwice = (first: ViewedDecision, again: ViewedDecision): boolean =>
  !isCallee(again) || decisionCalled(first);

/** Every plugin runs again; only a change of other fields counts. */
function hadPart(again: ViewedDecision, first: ViewedDecision): boolean {
  if (isCallee(again)) return decisionCalled(again);
  const before = new Set(first.changes.map(kindOfField));
  return again.changes.some((change) => !before.has(kindOfField(change)));
}

/** The path without the list that holds the item: init containers count as containers. */
function kindOfField({ path }: FieldChange): string {
  const item = path.findIndex((step) => typeof step === 'object');
  return pathText(path.slice(item + 1).map((step) => (typeof step === 'object' ? step.key : step)));
}

function finding(again: ViewedDecision, cause: ViewedDecision, causes: readonly ViewedDecision[]): Finding {
  const changes = causes.flatMap((one) => one.changes);
  const others = causes.length === 1 ? '' : ' and others';
  return {
    rule: 'called-again',
    severity: 'note',
    title: isCallee(again)
      ? `${actorText(again.actor)} was reinvoked, since ${actorText(cause.actor)}${others} ${changeWords(changes)}`
      : `${actorText(again.actor)} ran again in the second round and ${changeWords(again.changes)}, since ${actorText(cause.actor)}${others} ${changeWords(changes)}`,
    where: {
      actors: [again.actor, ...causes.map((one) => one.actor)],
      fields: changes.map(({ path }) => pathText(path)),
    },
    evidence: [],
    remedy: isCallee(again)
      ? `${again.actor.name} has reinvocationPolicy: IfNeeded; with Never it would miss those changes`
      : 'compiled-in plugins run again after a webhook or policy changed the object, so they process additions of webhooks too',
  };
}
