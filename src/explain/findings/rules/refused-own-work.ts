import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { changeWords } from '../change-words.ts';
import type { Evidence, Finding } from '../finding.ts';
import { decisionCalled } from '../late-items.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/** A webhook allows a request and denies it in the second round, after its own changes and those of others. */
export const refusedOwnWork = (view: TraceView): readonly Finding[] =>
  view.decisions.flatMap((again) => {
    if (again.record.phase !== 'mutating' || again.round === 0 || again.record.outcome !== 'denied') return [];
    const first = view.decisions.find((one) => decisionCalled(one) && one.round === 0 && one.callee === again.callee);
    return first === undefined ? [] : [finding(again, first, view)];
  });

function finding(again: ViewedDecision, first: ViewedDecision, { decisions }: TraceView): Finding {
  const between = decisions.filter((one) => one.at >= first.at && one.at < again.at && isCallee(one) && one.hasEffect);
  const isOwnWork = first.hasEffect;
  const others = between.filter((one) => one !== first).map((one) => one.actor);
  return {
    rule: 'refused-own-work',
    severity: 'error',
    title: `${actorText(again.actor)} denied in the second round what it had allowed in the first`,
    where: {
      actors: [again.actor, ...others],
      fields: between.flatMap(({ changes }) => changes.map(({ path }) => pathText(path))),
    },
    evidence: between.map(changedText),
    remedy: isOwnWork
      ? `${again.actor.name} is reinvoked after later changes and receives its own change too: allow that change, or deny in a validating webhook, which is called once`
      : `${again.actor.name} is reinvoked after later changes: deny in a validating webhook, which is called once with the final object`,
  };
}

const changedText = ({ changes, actor, at }: ViewedDecision): Evidence => ({
  text: `between the calls ${actorText(actor)} ${changeWords(changes)}`,
  decision: at,
});
