import { pathText } from '../../trace/field-path.ts';
import { actorText, type Finding, isSameActor } from '../finding.ts';
import { isCallee } from '../conflicts.ts';
import { describeField } from '../describe-field.ts';
import { isNewItem, itemChange, type ItemChange, itemsAt } from '../list-items.ts';
import { orderRemedy } from '../order-remedy.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

interface AppendedItem {
  readonly by: ViewedDecision;
  readonly item: ItemChange;
}

/** Two webhooks each append an init container; init containers run in order. */
export function noLongerLast({ decisions }: TraceView): readonly Finding[] {
  const placed: AppendedItem[] = [];
  const findings: Finding[] = [];
  for (const by of decisions.filter(isCallee)) {
    for (const change of by.changes) {
      const item = itemChange(change);
      if (item === undefined || !isNewItem(item) || item.list.at(-1) !== 'initContainers') continue;
      if (!isLast(item, by)) continue;
      const before = placed.findLast((one) => pathText(one.item.list) === pathText(item.list));
      if (before !== undefined && !isSameActor(before.by.actor, by.actor)) {
        findings.push(finding(before, { by, item }));
      }
      placed.push({ by, item });
    }
  }
  return findings;
}

const isLast = ({ list, item }: ItemChange, { states }: ViewedDecision): boolean =>
  itemsAt(states?.after, list).at(-1)?.[0].value === item.value;

const finding = (early: AppendedItem, late: AppendedItem): Finding => ({
  rule: 'no-longer-last',
  severity: 'note',
  title: `${actorText(late.by.actor)} appended ${describeField(late.item.change.path)} after ${describeField(early.item.change.path)} of ${actorText(early.by.actor)}`,
  where: {
    actors: [early.by.actor, late.by.actor],
    fields: [pathText(early.item.change.path), pathText(late.item.change.path)],
  },
  evidence: [{ text: 'init containers run in the order of the Pod', decision: late.by.at }],
  remedy: `if ${early.item.item.value} must run last: ${orderRemedy(early.by.record, late.by.record)}`,
});
