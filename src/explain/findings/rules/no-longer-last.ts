import { pathText } from '../../trace/field-path.ts';
import { actorText, isSameActor } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { fieldWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isNewItem, itemChange, itemsAt } from '../list-items.ts';
import type { ItemChange } from '../list-items.ts';
import { orderRemedy } from '../order-remedy.ts';
import type { Reading, Turn } from '../reading.ts';

interface Placed {
  readonly turn: Turn;
  readonly item: ItemChange;
}

/** Two webhooks each append an init container; init containers run in order. */
export function noLongerLast({ turns }: Reading): readonly Finding[] {
  const placed: Placed[] = [];
  const findings: Finding[] = [];
  for (const turn of turns.filter(isCallee)) {
    for (const change of turn.changes) {
      const item = itemChange(change);
      if (item === undefined || !isNewItem(item) || item.list.at(-1) !== 'initContainers') continue;
      if (!isLast(item, turn)) continue;
      const before = placed.findLast((one) => pathText(one.item.list) === pathText(item.list));
      if (before !== undefined && !isSameActor(before.turn.actor, turn.actor)) {
        findings.push(finding(before, { turn, item }));
      }
      placed.push({ turn, item });
    }
  }
  return findings;
}

const isLast = ({ list, item }: ItemChange, { states }: Turn): boolean =>
  itemsAt(states?.after, list).at(-1)?.[0].value === item.value;

const finding = (early: Placed, late: Placed): Finding => ({
  rule: 'no-longer-last',
  severity: 'note',
  title: `${fieldWords(early.item.change.path)} of ${actorText(early.turn.actor)} was the last, and ${fieldWords(late.item.change.path)} of ${actorText(late.turn.actor)} came behind it`,
  where: {
    actors: [early.turn.actor, late.turn.actor],
    fields: [pathText(early.item.change.path), pathText(late.item.change.path)],
  },
  evidence: [{ text: 'init containers run one after the other, in their order in the Pod', decision: late.turn.at }],
  remedy: `if ${early.item.item.value} has to run last: ${orderRemedy(early.turn.decision, late.turn.decision)}`,
});
