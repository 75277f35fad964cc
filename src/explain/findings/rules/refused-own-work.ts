import { pathText } from '../../trace/field-path.ts';
import { actorText } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { changeWords } from '../change-words.ts';
import type { Evidence, Finding } from '../finding.ts';
import { isAsked } from '../late-items.ts';
import type { Reading, Turn } from '../reading.ts';

/** A webhook allows a request and denies it in the second round, after its own changes and those of others. */
export const refusedOwnWork = (reading: Reading): readonly Finding[] =>
  reading.turns.flatMap((again) => {
    if (again.decision.phase !== 'mutating' || again.round === 0 || again.decision.outcome !== 'denied') return [];
    const first = reading.turns.find((one) => isAsked(one) && one.round === 0 && one.callee === again.callee);
    return first === undefined ? [] : [finding(again, first, reading)];
  });

function finding(again: Turn, first: Turn, { turns }: Reading): Finding {
  const between = turns.filter((one) => one.at >= first.at && one.at < again.at && isCallee(one) && one.hasEffect);
  const isOwnWork = first.hasEffect;
  const others = between.filter((one) => one !== first).map((one) => one.actor);
  return {
    rule: 'refused-own-work',
    severity: 'error',
    title: `${actorText(again.actor)} refused in the second round what it had let pass in the first`,
    where: {
      actors: [again.actor, ...others],
      fields: between.flatMap(({ changes }) => changes.map(({ path }) => pathText(path))),
    },
    evidence: between.map((one) => changedText(one, one === first)),
    remedy: isOwnWork
      ? `${again.actor.name} is called again since others changed the object after it, and is shown its own change: if it refuses that, let it recognise it, or refuse in a validating webhook, which is called once`
      : `${again.actor.name} is called again since others changed the object after it: refuse in a validating webhook, which is called once and sees the end`,
  };
}

const changedText = ({ changes, actor, at }: Turn, isItself: boolean): Evidence => ({
  text: `in between ${isItself ? 'it itself' : actorText(actor)} ${changeWords(changes)}`,
  decision: at,
});
