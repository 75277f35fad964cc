import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { pathText } from '../../trace/field-path.ts';
import type { FieldPath } from '../../trace/field-path.ts';
import type { Change } from '../../trace/object-changes.ts';
import { refusalIn } from '../../trace/refused-by.ts';
import { actorText } from '../actor.ts';
import { isCallee } from '../conflicts.ts';
import { fieldWords, listWords } from '../field-words.ts';
import type { Finding } from '../finding.ts';
import { isWithin, valueIn } from '../list-items.ts';
import type { Reading, Turn } from '../reading.ts';
import { causePath } from '../cause-path.ts';

interface Refused {
  readonly path: FieldPath;
  readonly isRequired: boolean;
  readonly message: string;
  readonly turn: Turn;
  readonly change: Change;
}

/**
 * The API server refuses a field that a webhook or policy wrote last. Where only a field below the refused one was
 * written, the message must quote it.
 */
const refusedFields = ({ trace, writes }: Reading): readonly Refused[] => {
  if (refusalIn(trace) !== undefined) return [];
  const causes = asList(asObject(trace.response.status?.['details'])['causes']).map(asObject);
  const written = writes.flatMap(({ turn, changes }) => changes.map((change) => ({ turn, change })));
  return causes.flatMap(({ field, message, reason }) => {
    // Duplicates have their own finding.
    if (asString(field) === '' || reason === 'FieldValueDuplicate') return [];
    const path = causePath(asString(field), trace.objectAfter ?? undefined);
    const isRequired = reason === 'FieldValueRequired';
    const writer = written.findLast(
      ({ change }) =>
        isWithin(path, change.path) || (isWithin(change.path, path) && isQuoted(change, asString(message))),
    );
    if (writer?.turn === undefined || !isCallee(writer.turn)) return [];
    return [{ path, isRequired, message: asString(message), change: writer.change, turn: writer.turn }];
  });
};

function isQuoted({ path, after }: Change, message: string): boolean {
  const last = path.at(-1);
  const name = typeof last === 'object' ? last.value : last;
  return [name, after].some((one) => typeof one === 'string' && message.includes(JSON.stringify(one)));
}

const valueOf = ({ trace }: Reading, path: FieldPath): JsonValue | undefined =>
  valueIn(trace.objectAfter ?? undefined, path);

/** The API server refuses a value that the client did not set. */
export const invalidField = (reading: Reading): readonly Finding[] =>
  byTurn(refusedFields(reading).filter(({ path }) => valueOf(reading, path) !== undefined)).map((all) => {
    const [{ turn }] = all;
    const what = listWords(all.map(({ path, change }) => fieldWords(isWithin(change.path, path) ? change.path : path)));
    return {
      ...common(all),
      rule: 'invalid-field',
      title: `${actorText(turn.actor)} set ${what}, which the API server refuses`,
      remedy: `correct what ${turn.actor.name} writes; the client did not send it`,
    };
  });

/** A required field is missing where a webhook or policy wrote the parent or removed the field. */
export const missingField = (reading: Reading): readonly Finding[] =>
  byTurn(
    refusedFields(reading).filter(({ path, isRequired }) => isRequired && valueOf(reading, path) === undefined),
  ).map((all) => ({
    ...common(all),
    rule: 'missing-field',
    ...missingWords(all[0]),
  }));

type OfTurn = readonly [Refused, ...Refused[]];

function byTurn(all: readonly Refused[]): readonly OfTurn[] {
  const groups = new Map<Turn, [Refused, ...Refused[]]>();
  for (const one of all) {
    const known = groups.get(one.turn);
    if (known) known.push(one);
    else groups.set(one.turn, [one]);
  }
  return [...groups.values()];
}

function missingWords({ turn, path, change }: Refused): Pick<Finding, 'title' | 'remedy'> {
  const who = actorText(turn.actor);
  if (change.after === undefined) {
    return {
      title: `${who} removed ${fieldWords(path)}, which is required`,
      remedy: `let ${turn.actor.name} leave it`,
    };
  }
  const parent = fieldWords(change.path);
  return {
    title: `${who} wrote ${parent} without ${fieldWords(path.slice(change.path.length))}, which is required`,
    remedy: `let ${turn.actor.name} write all of ${parent}, or only change what is there: perhaps it meant one that another webhook adds later`,
  };
}

const common = (all: OfTurn): Pick<Finding, 'severity' | 'where' | 'evidence'> => ({
  severity: 'error',
  where: { actors: [all[0].turn.actor], fields: all.map(({ path }) => pathText(path)) },
  evidence: all.map(({ path, message, turn }) => ({
    text: `${pathText(path)}: ${message.length > longest ? `${message.slice(0, longest)}…` : message}`,
    decision: turn.at,
  })),
});

const longest = 100;
