import { namesOf } from './field-names.ts';
import { isLarge } from './is-large.ts';
import { isJsonObject, isList } from './json.ts';
import type { JsonDocument, JsonObject, JsonValue } from './json.ts';
import { writeJson } from './json-writer.ts';
import type { Steps } from './pause.ts';

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

/** What writeJson() says of a value that may have very many others inside, in pieces that follow each other. */
export function* jsonInSteps(value: JsonDocument | JsonValue): Steps<readonly string[]> {
  const texts: string[] = [];
  // Not by recursion: each piece would have to come up through all levels.
  const open: Open[] = [];
  let text = begun(value, open);
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: member } = inner.members.next();
    if (done) {
      text += inner.end;
      open.pop();
    } else {
      text += inner.isEmpty ? member.label : `,${member.label}`;
      inner.isEmpty = false;
      text += begun(member.value, open);
    }
    if (text.length < pieceOfText) continue;
    texts.push(text);
    text = '';
    yield;
  }
  texts.push(text);
  return texts;
}

/** The value, or its bracket when it is written member by member. */
function begun(value: JsonDocument | JsonValue, open: Open[]): string {
  if (isLarge(value)) {
    if (isList(value)) return opened({ members: itemsOf(value), end: ']', isEmpty: true }, '[', open);
    if (isJsonObject(value)) return opened({ members: fieldsOf(value), end: '}', isEmpty: true }, '{', open);
  }
  return writeJson(value);
}

function opened(one: Open, bracket: string, open: Open[]): string {
  open.push(one);
  return bracket;
}

function* itemsOf(list: readonly (JsonDocument | JsonValue)[]): Generator<Member, void> {
  for (const value of list) yield { label: '', value };
}

function* fieldsOf(object: JsonObject): Generator<Member, void> {
  for (const field of namesOf(object)) {
    const value = object[field];
    if (value !== undefined) yield { label: `${JSON.stringify(field)}:`, value };
  }
}
