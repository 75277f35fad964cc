import { isList, JsonNumber } from './json.ts';
import type { JsonDocument } from './json.ts';

/** May a text hold such a number? Only then its document is looked through. */
const maySay = /[eE]\+?\d{3}|(?<!\d)\d{200}/;

/** What Go says of the first number of a document that no double holds: `{"n":1e400}`; it is decoded without a type. */
export const tooLargeNumberIn = (text: string, document: JsonDocument): string | undefined =>
  maySay.test(text) ? tooLargeNumber(document) : undefined;

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
    } else if (typeof next === 'object' && next !== null) {
      const inner: readonly (JsonDocument | undefined)[] = isList(next) ? next : Object.values(next);
      for (let at = inner.length - 1; at >= 0; at -= 1) pending.push(inner[at]);
    }
  }
  return undefined;
}

const isTooLarge = ({ text }: JsonNumber): boolean => !Number.isFinite(Number(text));
