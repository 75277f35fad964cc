import { actorText, isSameActor } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { callsByCallee } from '../late-items.ts';
import { isNewItem, itemChange } from '../list-items.ts';
import { unseenText } from '../unseen.ts';
import { orderRemedy, reinvocationOf, whyNotAgain } from '../order-remedy.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/** A mutating webhook or policy changed nothing: its patch had no effect, or an item was added after its last call. */
export const changedNothing = (view: TraceView): readonly Finding[] =>
  callsByCallee(view).flatMap((mine) => {
    const last = mine.at(-1);
    if (last === undefined || hasChanged(last, view)) return [];
    const why = whyNotAgain(last.record);
    const late = why === undefined ? undefined : lateOf(last, view);
    if (why !== undefined && late !== undefined) return [tooEarly(last, late, why)];
    return hasPatch(last) ? [inVain(last)] : [];
  });

/** In any round, with any binding. */
const hasChanged = ({ actor }: ViewedDecision, { decisions }: TraceView): boolean =>
  decisions.some((one) => one.changes.length > 0 && isSameActor(one.actor, actor));

interface Late {
  readonly by: ViewedDecision;
  readonly items: string;
}

/** The list items that others added after the call. */
function lateOf({ at, actor }: ViewedDecision, { decisions }: TraceView): Late | undefined {
  const added = decisions
    .filter((one) => one.at > at && isCallee(one) && !isSameActor(one.actor, actor))
    .flatMap((by) => by.changes.map((change) => ({ by, item: itemChange(change) })))
    .flatMap(({ by, item }) => (item !== undefined && isNewItem(item) ? [{ by, item }] : []));
  const [first] = added;
  return first && { by: first.by, items: listWords(added.map(({ item }) => fieldWords(item.change.path))) };
}

/** Webhooks have states only with a patch. */
const hasPatch = ({ record: decision, states }: ViewedDecision): boolean =>
  decision.type === 'webhook' && states !== undefined;

const tooEarly = (last: ViewedDecision, { by, items }: Late, why: string): Finding => ({
  rule: 'changed-nothing',
  severity: 'note',
  title: `${actorText(last.actor)} was called and changed nothing; ${unseenText(actorText(by.actor), items)}: ${why}`,
  where: { actors: [last.actor, by.actor], fields: [] },
  evidence: [],
  remedy: `if it should change ${items}: ${orderRemedy(last.record, by.record)}${reinvocationOf(last.record) === 'Never' ? ', or set reinvocationPolicy: IfNeeded on it' : ''}`,
});

const inVain = ({ actor, at }: ViewedDecision): Finding => ({
  rule: 'changed-nothing',
  severity: 'note',
  title: `${actorText(actor)} sent a patch that changed nothing`,
  where: { actors: [actor], fields: [] },
  evidence: [{ text: 'its values exist already, or the API server drops them', decision: at }],
  remedy: 'if that is unintended: compare the paths of its patch with request.object',
});
