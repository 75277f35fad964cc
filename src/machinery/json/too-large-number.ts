import { isList, type JsonDocument, JsonNumber } from './json.ts';
import type { JsonText } from './json-reader.ts';
import { type JsonScalar, walkJson } from './json-walk.ts';

/** Can the text contain such a number? Only then the document is searched. */
const mayHaveTooLargeNumber = /[eE]\+?\d{3}|(?<!\d)\d{200}/;

/**
 * Go's error for the first number of a text that no double holds: `{"n":1e400}`; it is decoded without a type. A number
 * that a repeated key replaces counts too.
 */
export function tooLargeNumberIn({ text, value, hasDuplicates }: JsonText): string | undefined {
  if (!mayHaveTooLargeNumber.test(text)) return undefined;
  return hasDuplicates ? findTooLargeInText(text) : tooLargeNumber(value);
}

function findTooLargeInText(text: string): string | undefined {
  let first: JsonNumber | undefined;
  const nothing = (): void => {};
  const scalar = (value: JsonScalar): void => {
    if (first === undefined && value instanceof JsonNumber && isTooLarge(value)) first = value;
  };
  walkJson(text, { open: nothing, close: nothing, key: nothing, scalar });
  return first && tooLargeNumber(first);
}

/**
 * The same of a document alone. `into` is what Go decodes the value into: `value`, `struct field jsonPatchOp.value`.
 * Follows sigs.k8s.io/json internal/golang/encoding/json/decode.go convertNumber.
 */
export function tooLargeNumber(document: JsonDocument | undefined, into = 'value'): string | undefined {
  const pending: (JsonDocument | undefined)[] = [document];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next instanceof JsonNumber) {
      if (isTooLarge(next)) return `json: cannot unmarshal number ${next.text} into Go ${into} of type float64`;
    } else if (isList(next)) for (let at = next.length - 1; at >= 0; at -= 1) pending.push(next[at]);
    else if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next);
      for (let at = names.length - 1; at >= 0; at -= 1) pending.push(next[names[at] ?? '']);
    }
  }
  return undefined;
}

const isTooLarge = ({ text }: JsonNumber): boolean => !Number.isFinite(Number(text));
