import { isJsonObject } from '../../../machinery/json/json.ts';
import { pathText } from '../../trace/field-path.ts';
import type { FieldPath } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isItemOf, isWithin, valueIn } from '../list-items.ts';
import type { Reading, Turn } from '../reading.ts';
import { replacedBy } from '../whole-value-patch.ts';

/** A patch replaces a whole list or map, and items of others are lost. */
export function replacedList(reading: Reading): readonly Finding[] {
  return reading.turns.flatMap((turn) =>
    turn.decision.type === 'webhook' ? replacedBy(turn).flatMap((list) => finding(turn, list, reading)) : [],
  );
}

function finding(turn: Turn, list: FieldPath, reading: Reading): readonly Finding[] {
  const lost = turn.changes.filter(({ path, after }) => after === undefined && isItemOf(path, list));
  if (lost.length === 0) return [];
  const owners = lost.map(({ path }) => ownerOf(path, turn, reading));
  const actors = owners.flatMap((owner) => (owner === undefined ? [] : [owner.actor]));
  const what = listWords(lost.map(({ path }) => fieldWords(path)));
  return [
    {
      rule: 'replaced-list',
      severity: 'warning',
      title: `${actorText(turn.actor)} replaced ${pathText(list)} as a whole, and ${what} ${lost.length === 1 ? 'is' : 'are'} gone`,
      where: { actors: [turn.actor, ...actors], fields: lost.map(({ path }) => pathText(path)) },
      evidence: lost.map(({ path }, at) => ({
        text: `${fieldWords(path)} came from ${whose(path, owners[at], reading)}`,
        decision: owners[at]?.at ?? turn.at,
      })),
      remedy: `patch single items: "add" at ${pointerOf(list)}/${endOf(list)} adds one and leaves the others`,
    },
  ];
}

/** The decision that added the item; undefined when it was in the request. */
function ownerOf(path: FieldPath, turn: Turn, { writes }: Reading): Turn | undefined {
  const before = writes.slice(
    0,
    writes.findIndex((write) => write.turn === turn),
  );
  return before.findLast(({ changes }) =>
    changes.some((change) => change.after !== undefined && isWithin(path, change.path)),
  )?.turn;
}

function whose(path: FieldPath, turn: Turn | undefined, { trace }: Reading): string {
  if (turn !== undefined) return actorText(turn.actor);
  const { body, verb } = trace.request;
  if (isJsonObject(body) && valueIn(body, path) !== undefined) return 'the client';
  return verb === 'create' ? 'the request' : 'what was stored or sent';
}

const pointerOf = (path: FieldPath): string => path.map((step) => `/${typeof step === 'object' ? '…' : step}`).join('');

const endOf = (list: FieldPath): string => (list[0] === 'metadata' && list[1] !== 'finalizers' ? 'KEY' : '-');
