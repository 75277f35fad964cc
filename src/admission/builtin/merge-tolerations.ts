import { asObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';

/**
 * Both lists in their order, without those that another one covers.
 * Follows kubernetes pkg/util/tolerations/tolerations.go MergeTolerations.
 */
export function mergeTolerations(first: readonly JsonValue[], second: readonly JsonValue[]): readonly JsonObject[] {
  const all = [...first, ...second].map(asObject);
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    const isCoveredLater = all
      .slice(index + 1)
      .some((later) => !sameJson(later, toleration) && covers(later, toleration));
    if (!isCoveredLater && !merged.some((kept) => covers(kept, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Does `wide` tolerate everything that `narrow` does? Without a key or an effect it tolerates all of them. */
export const covers = (wide: JsonObject, narrow: JsonObject): boolean =>
  sameJson(wide, narrow) ||
  (coversKey(wide, narrow) && coversEffect(wide, narrow) && coversTime(wide, narrow) && coversValue(wide, narrow));

const coversKey = (wide: JsonObject, narrow: JsonObject): boolean =>
  text(wide['key']) === text(narrow['key']) || (text(wide['key']) === '' && wide['operator'] === 'Exists');

const coversEffect = (wide: JsonObject, narrow: JsonObject): boolean =>
  text(wide['effect']) === '' || wide['effect'] === narrow['effect'];

function coversTime({ effect, tolerationSeconds: long }: JsonObject, { tolerationSeconds: short }: JsonObject) {
  if (effect !== 'NoExecute' || typeof long !== 'number') return true;
  return typeof short === 'number' && short <= long;
}

function coversValue({ operator, value }: JsonObject, narrow: JsonObject): boolean {
  if (operator === 'Exists') return true;
  const isEqual = text(operator) === '' || operator === 'Equal';
  return isEqual && narrow['operator'] === 'Equal' && text(narrow['value']) === text(value);
}

const text = (value: JsonValue | undefined): JsonValue => value ?? '';
