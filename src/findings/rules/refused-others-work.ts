import { asString } from '../../apimachinery/json.ts';
import { pathText } from '../../trace/field-path.ts';
import type { Change } from '../../trace/object-changes.ts';
import type { TracedDecision } from '../../trace/trace.ts';
import { actorOf, actorText, isSameActor } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { fieldWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import type { Reading, Turn } from '../reading.ts';

interface Named {
  readonly change: Change;
  readonly turn: Turn;
}

/** A plugin, policy or webhook refuses, and its message names what no client sent but another webhook or policy added. */
export const refusedOthersWork = ({ trace, turns }: Reading): readonly Finding[] =>
  trace.admission.flatMap((decision, at) => {
    if (decision.outcome !== 'denied') return [];
    const message = messageOf(decision);
    const named = turns.flatMap((turn) => (turn.at < at && isCallee(turn) ? namedIn(turn, message) : []));
    const [first] = named.filter(({ turn }) => !isSameActor(turn.actor, actorOf(decision)));
    return first === undefined ? [] : [finding(decision, at, first)];
  });

const messageOf = (decision: TracedDecision): string =>
  decision.type === 'plugin' ? (decision.message ?? '') : asString(decision.status?.['message']);

function namedIn(turn: Turn, message: string): readonly Named[] {
  const found = turn.changes.filter((change) => {
    const last = change.path.at(-1);
    const name = typeof last === 'object' ? last.value : typeof last === 'string' ? last : '';
    return change.after !== undefined && isNamed(name, message);
  });
  return found.map((change) => ({ change, turn }));
}

const shortest = 3;

/** In quotes, or as a word that is not too short to be there by chance. */
function isNamed(name: string, message: string): boolean {
  if (message.includes(`"${name}"`) || message.includes(`'${name}'`)) return name !== '';
  return name.length >= shortest && message.split(/[^\w./-]+/).includes(name);
}

function finding(decision: TracedDecision, at: number, { change, turn }: Named): Finding {
  const refuser = actorOf(decision);
  const what = fieldWords(change.path);
  return {
    rule: 'refused-others-work',
    severity: 'error',
    title: `${actorText(refuser)} refused ${what}, which ${actorText(turn.actor)} ${change.before === undefined ? 'added' : 'set'}`,
    where: { actors: [refuser, turn.actor], fields: [pathText(change.path)] },
    evidence: [
      { text: `the client did not send it: ${actorText(turn.actor)} changed the object before`, decision: at },
    ],
    remedy: `let ${turn.actor.name} write ${what} so that ${refuser.name} takes it, or exempt such objects from one of the two`,
  };
}
