import { compareTexts } from './compare-texts.ts';
import { bigintAsText } from './bigint-replacer.ts';
import { namesOf } from './field-names.ts';
import { onceInTurns, stepsInTurns } from './in-turns.ts';
import { isLarge } from './is-large.ts';
import { isJsonObject, isList } from './json.ts';
import type { JsonDocument, JsonObject, JsonValue } from './json.ts';
import { escapeForGo, writeJson } from './json-writer.ts';
import { piecesOfText } from './pieces-of-text.ts';
import type { Steps } from './pause.ts';
import { sortInSteps } from './sort-in-turns.ts';
import { changedInTurns } from './stretches-in-turns.ts';

/** So many characters are one piece, about. */
const pieceOfText = 32 * 1024;

/** A list or an object of which a part is written. */
interface Open {
  /** Its members, each with what stands before it. */
  readonly members: Iterator<Member, void>;
  readonly end: string;
  isEmpty: boolean;
}

interface Member {
  readonly label: string;
  readonly value: JsonDocument | JsonValue;
}

/** In which order the fields of objects are written. */
interface Order {
  readonly namesOf: (object: JsonObject) => Steps<readonly string[]>;
  /** Writes a value that is not large at once. */
  readonly write: (value: JsonDocument | JsonValue) => string;
}

const asTheyStand: Order = {
  // oxlint-disable-next-line require-yield -- they are there
  *namesOf(object) {
    return namesOf(object);
  },
  write: writeJson,
};

const shown: Order = { ...asTheyStand, write: (value) => JSON.stringify(value, bigintAsText) };

const sorted: Order = {
  namesOf: (object) => sortInSteps(namesOf(object), compareTexts),
  write: sortedJson,
};

/** What writeJson() says of a value that may have very many others inside, in pieces that follow each other. */
export const jsonInSteps = (value: JsonDocument | JsonValue): Steps<readonly string[]> => written(value, asTheyStand);

/** The same with 64-bit integers as texts of their digits, for readers that would round them. */
export const shownJsonInSteps = (value: JsonValue): Steps<readonly string[]> => written(value, shown);

/** The same with the fields of all objects in the order of their names, as Go writes maps. */
export const sortedJsonInSteps = (value: JsonDocument): Steps<readonly string[]> => written(value, sorted);

/** What writeJsonForGo() says of it: of megabytes in turns. */
export const goJsonInTurns = (value: JsonDocument | JsonValue): string => escapedInTurns(value, asTheyStand);

/** The same with the fields of all objects in the order of their names. */
export const sortedGoJsonInTurns = (value: JsonDocument | JsonValue): string => escapedInTurns(value, sorted);

function escapedInTurns(value: JsonDocument | JsonValue, order: Order): string {
  const pieces = stepsInTurns(() => written(value, order));
  return changedInTurns(pieces.length === 1 ? (pieces[0] ?? '') : onceInTurns(() => pieces.join('')), escapeForGo);
}

function sortedJson(value: JsonDocument | JsonValue): string {
  if (isList(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (!isJsonObject(value)) return writeJson(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sortedJson(value[name] ?? null)}`).join(',')}}`;
}

function* written(value: JsonDocument | JsonValue, order: Order): Steps<readonly string[]> {
  const texts: string[] = [];
  // Not by recursion: each piece would have to come up through all levels.
  const open: Open[] = [];
  let text = isLarge(value) ? yield* begun(value, open, order) : order.write(value);
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: member } = inner.members.next();
    if (done) {
      text += inner.end;
      open.pop();
    } else {
      text += inner.isEmpty ? member.label : `,${member.label}`;
      inner.isEmpty = false;
      text += isLarge(member.value) ? yield* begun(member.value, open, order) : order.write(member.value);
    }
    if (text.length < pieceOfText) continue;
    texts.push(text);
    text = '';
    yield;
  }
  texts.push(text);
  return texts;
}

/** Its bracket: it is written member by member. */
function* begun(value: JsonDocument | JsonValue, open: Open[], order: Order): Steps<string> {
  if (isList(value)) return opened({ members: itemsOf(value), end: ']', isEmpty: true }, '[', open);
  if (typeof value === 'string') return yield* quotedInSteps(value);
  if (!isJsonObject(value)) return order.write(value);
  const members = fieldsOf(value, yield* order.namesOf(value));
  return opened({ members, end: '}', isEmpty: true }, '{', open);
}

/** As JSON has it. */
function* quotedInSteps(text: string): Steps<string> {
  let json = '';
  for (const piece of piecesOfText(text, pieceOfText)) {
    json += JSON.stringify(piece).slice(1, -1);
    yield;
  }
  return `"${json}"`;
}

function opened(one: Open, bracket: string, open: Open[]): string {
  open.push(one);
  return bracket;
}

function* itemsOf(list: readonly (JsonDocument | JsonValue)[]): Generator<Member, void> {
  for (const value of list) yield { label: '', value };
}

function* fieldsOf(object: JsonObject, names: readonly string[]): Generator<Member, void> {
  for (const field of names) {
    const value = object[field];
    if (value !== undefined) yield { label: `${JSON.stringify(field)}:`, value };
  }
}
