import { isJsonObject } from '../../../machinery/json/json.ts';
import { type FieldPath, pathText } from '../../trace/field-path.ts';
import { actorText, type Finding } from '../finding.ts';
import { fieldWords, listWords } from '../field-words.ts';
import { isItemOf, isWithin, valueIn, replacedBy } from '../list-items.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

/** A patch replaces a whole list or map, and items of others are lost. */
export function replacedList(view: TraceView): readonly Finding[] {
  return view.decisions.flatMap((by) =>
    by.record.type === 'webhook' ? replacedBy(by).flatMap((list) => finding(by, list, view)) : [],
  );
}

function finding(by: ViewedDecision, list: FieldPath, view: TraceView): readonly Finding[] {
  const lost = by.changes.filter(({ path, after }) => after === undefined && isItemOf(path, list));
  if (lost.length === 0) return [];
  const owners = lost.map(({ path }) => ownerOf(path, by, view));
  const actors = owners.flatMap((owner) => (owner === undefined ? [] : [owner.actor]));
  const what = listWords(lost.map(({ path }) => fieldWords(path)));
  return [
    {
      rule: 'replaced-list',
      severity: 'warning',
      title: `${actorText(by.actor)} replaced ${pathText(list)} as a whole, which removed ${what}`,
      where: { actors: [by.actor, ...actors], fields: lost.map(({ path }) => pathText(path)) },
      evidence: lost.map(({ path }, at) => ({
        text: `${fieldWords(path)} was added by ${whose(path, owners[at], view)}`,
        decision: owners[at]?.at ?? by.at,
      })),
      remedy: `patch single items: "add" at ${pointerOf(list)}/${endOf(list)} adds one and keeps the others`,
    },
  ];
}

/** The decision that added the item; undefined when it was in the request. */
function ownerOf(path: FieldPath, by: ViewedDecision, { writes }: TraceView): ViewedDecision | undefined {
  const before = writes.slice(
    0,
    writes.findIndex((write) => write.by === by),
  );
  return before.findLast(({ changes }) =>
    changes.some((change) => change.after !== undefined && isWithin(path, change.path)),
  )?.by;
}

function whose(path: FieldPath, by: ViewedDecision | undefined, { trace }: TraceView): string {
  if (by !== undefined) return actorText(by.actor);
  const { body, verb } = trace.request;
  if (isJsonObject(body) && valueIn(body, path) !== undefined) return 'the client';
  return verb === 'create' ? 'the request' : 'the stored object or the request';
}

const pointerOf = (path: FieldPath): string => path.map((step) => `/${typeof step === 'object' ? '…' : step}`).join('');

const endOf = (list: FieldPath): string => (list[0] === 'metadata' && list[1] !== 'finalizers' ? 'KEY' : '-');
