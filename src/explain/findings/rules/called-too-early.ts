import { actorText } from '../actor.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { callsByCallee, type LateItem, lateItems } from '../late-items.ts';
import { orderRemedy, reinvocationOf, whyNotAgain } from '../order-remedy.ts';
import { pathText } from '../../trace/field-path.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';
import { givenText } from '../given-text.ts';

/**
 * A webhook mutates every item of a list, another one adds an item later, and the webhook is not called again. Only
 * webhooks with reinvocationPolicy IfNeeded are, once, after a later change (rules REI-1, REI-7).
 */
export const calledTooEarly = (view: TraceView): readonly Finding[] =>
  callsByCallee(view).flatMap((mine) => {
    const last = mine.at(-1);
    const why = last && whyNotAgain(last.record);
    if (last === undefined || why === undefined) return [];
    const late = lateItems(view, mine, { from: last.at, until: Infinity });
    const [first] = late;
    return first === undefined ? [] : [finding({ early: last, first, late, why })];
  });

interface TooEarly {
  readonly early: ViewedDecision;
  readonly first: LateItem;
  readonly late: readonly LateItem[];
  readonly why: string;
}

function finding({ early, first, late, why }: TooEarly): Finding {
  const items = listWords(late.map(({ added }) => fieldWords(added.change.path)));
  return {
    rule: 'called-too-early',
    severity: 'warning',
    title: `${actorText(early.actor)} was called before ${actorText(first.by.actor)} added ${items}, and not again: ${why}`,
    where: {
      actors: [early.actor, ...new Set(late.map(({ by }) => by.actor))],
      fields: late.map(({ added }) => pathText(added.change.path)),
    },
    evidence: late.map((one) => ({ text: givenText(one), decision: one.by.at })),
    remedy: remedyOf(early, first.by),
  };
}

function remedyOf({ record: decision }: ViewedDecision, { record: late }: ViewedDecision): string {
  const order = orderRemedy(decision, late);
  if (reinvocationOf(decision) === 'IfNeeded') return order;
  return `set reinvocationPolicy: IfNeeded on ${decision.name} (its second call must not repeat the first), or: ${order}`;
}
