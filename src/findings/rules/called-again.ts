import { pathText } from '../../trace/field-path.ts';
import { actorText, isSameActor } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { changeWords } from '../change-words.ts';
import type { Finding } from '../finding.ts';
import { isAsked } from '../late-items.ts';
import type { Reading, Turn } from '../reading.ts';

/** A webhook or policy was asked in the second round too, and whose change was the cause. */
export const calledAgain = ({ turns }: Reading): readonly Finding[] =>
  turns.flatMap((again) => {
    if (again.round === 0 || again.decision.phase !== 'mutating' || !isCallee(again) || !isAsked(again)) return [];
    const first = turns.find((one) => one.round === 0 && isSameActor(one.actor, again.actor));
    const causes = turns.filter(
      (one) => first !== undefined && one.at > first.at && one.at < again.at && isCallee(one) && one.changes.length > 0,
    );
    const [cause] = causes;
    return cause === undefined ? [] : [finding(again, cause, causes)];
  });

function finding(again: Turn, cause: Turn, causes: readonly Turn[]): Finding {
  const changes = causes.flatMap((one) => one.changes);
  const others = causes.length === 1 ? '' : ' and others';
  return {
    rule: 'called-again',
    severity: 'note',
    title: `${actorText(again.actor)} was called a second time, since ${actorText(cause.actor)}${others} ${changeWords(changes)}`,
    where: {
      actors: [again.actor, ...causes.map((one) => one.actor)],
      fields: changes.map(({ path }) => pathText(path)),
    },
    evidence: [],
    remedy: `${again.actor.name} asks for it with reinvocationPolicy: IfNeeded; with Never it would not see those changes`,
  };
}
