import { actorText, isSameActor } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { askedOf } from '../late-items.ts';
import { isNewItem, itemChange } from '../list-items.ts';
import { orderRemedy, reinvocationOf, whyNotAgain } from '../order-remedy.ts';
import type { Reading, Turn } from '../reading.ts';

/** A mutating webhook or policy changed nothing: its patch had no effect, or an item was added after its last call. */
export const changedNothing = (reading: Reading): readonly Finding[] =>
  askedOf(reading).flatMap((mine) => {
    const last = mine.at(-1);
    if (last === undefined || hasChanged(last, reading)) return [];
    const why = whyNotAgain(last.decision);
    const late = why === undefined ? undefined : lateOf(last, reading);
    if (why !== undefined && late !== undefined) return [tooEarly(last, late, why)];
    return hasPatch(last) ? [inVain(last)] : [];
  });

/** In any round, with any binding. */
const hasChanged = ({ actor }: Turn, { turns }: Reading): boolean =>
  turns.some((one) => one.changes.length > 0 && isSameActor(one.actor, actor));

interface Late {
  readonly by: Turn;
  readonly items: string;
}

/** The list items that others added after the call. */
function lateOf({ at, actor }: Turn, { turns }: Reading): Late | undefined {
  const added = turns
    .filter((one) => one.at > at && isCallee(one) && !isSameActor(one.actor, actor))
    .flatMap((by) => by.changes.map((change) => ({ by, item: itemChange(change) })))
    .flatMap(({ by, item }) => (item !== undefined && isNewItem(item) ? [{ by, item }] : []));
  const [first] = added;
  return first && { by: first.by, items: listWords(added.map(({ item }) => fieldWords(item.change.path))) };
}

/** Webhooks have states only with a patch. */
const hasPatch = ({ decision, states }: Turn): boolean => decision.type === 'webhook' && states !== undefined;

const tooEarly = (last: Turn, { by, items }: Late, why: string): Finding => ({
  rule: 'changed-nothing',
  severity: 'note',
  title: `${actorText(last.actor)} was called and changed nothing; it has not seen ${items} of ${actorText(by.actor)}: ${why}`,
  where: { actors: [last.actor, by.actor], fields: [] },
  evidence: [],
  remedy: `if it should treat ${items}: ${orderRemedy(last.decision, by.decision)}${reinvocationOf(last.decision) === 'Never' ? ', or set reinvocationPolicy: IfNeeded on it' : ''}`,
});

const inVain = ({ actor, at }: Turn): Finding => ({
  rule: 'changed-nothing',
  severity: 'note',
  title: `${actorText(actor)} answered with a patch that changed nothing`,
  where: { actors: [actor], fields: [] },
  evidence: [{ text: 'what it writes is there already, or is not kept', decision: at }],
  remedy: `when that is not meant: look whether the paths of its patch are those of the object that it is shown`,
});
