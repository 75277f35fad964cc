import { actorText } from '../actor.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { givenText } from '../given-text.ts';
import { callsByCallee, type LateItem, lateItems } from '../late-items.ts';
import { pathText } from '../../trace/field-path.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';
import { missingMutations } from '../per-item-mutations.ts';
import { valueIn } from '../list-items.ts';

/** A webhook mutates every item of a list, is called again after an item was added, and does not mutate that item. */
export const calledAgainInVain = (view: TraceView): readonly Finding[] =>
  callsByCallee(view).flatMap((mine) => {
    const [first, again] = mine;
    if (first === undefined || again === undefined) return [];
    const late = lateItems(view, mine, { from: first.at, until: again.at });
    const left = late.filter((one) => isLeft(one, again));
    return left.length === 0 ? [] : [vainFinding(again, left)];
  });

/** Does the item lack the mutation after the second call? */
function isLeft({ added, lacks }: LateItem, { states }: ViewedDecision): boolean {
  if (states === undefined) return true;
  const item = valueIn(states.after, added.change.path);
  return item !== undefined && missingMutations(lacks, added.list, item).length > 0;
}

function vainFinding(again: ViewedDecision, left: readonly LateItem[]): Finding {
  const items = listWords(left.map(({ added }) => fieldWords(added.change.path)));
  const did = again.changes.length === 0 ? 'changed nothing' : 'left it as it was';
  return {
    rule: 'called-again-in-vain',
    severity: 'warning',
    title: `${actorText(again.actor)} was called again after ${actorText(left[0]?.by.actor ?? again.actor)} added ${items}, and ${did}`,
    where: {
      actors: [again.actor, ...left.map(({ by }) => by.actor)],
      fields: left.map(({ added }) => pathText(added.change.path)),
    },
    evidence: left.map((one) => ({ text: givenText(one), decision: again.at })),
    remedy: `check each item in ${again.actor.name}: it probably stops at its own earlier change`,
  };
}
