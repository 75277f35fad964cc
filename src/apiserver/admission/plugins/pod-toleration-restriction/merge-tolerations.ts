import type { Toleration } from '../../../../api/types/generated/core-v1.ts';
import type { JsonValue } from '../../../../machinery/json/json.ts';
import { sameJson } from '../../../../machinery/json/json-equal.ts';

/**
 * Drops tolerations that another one covers. Follows kubernetes pkg/util/tolerations/tolerations.go MergeTolerations.
 */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): readonly Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const isCoveredLater = all
      .slice(index + 1)
      .some((later) => !sameJson(later, toleration) && covers(later, toleration));
    if (!isCoveredLater && !merged.some((kept) => covers(kept, toleration))) merged.push(toleration);
  }
  return merged;
}

/** A toleration without key or effect covers all of them. */
export const covers = (wide: Toleration, narrow: Toleration): boolean =>
  sameJson(wide, narrow) ||
  (coversKey(wide, narrow) && coversEffect(wide, narrow) && coversTime(wide, narrow) && coversValue(wide, narrow));

const coversKey = (wide: Toleration, narrow: Toleration): boolean =>
  text(wide.key) === text(narrow.key) || (text(wide.key) === '' && wide.operator === 'Exists');

const coversEffect = (wide: Toleration, narrow: Toleration): boolean =>
  text(wide.effect) === '' || wide.effect === narrow.effect;

function coversTime({ effect, tolerationSeconds: long }: Toleration, { tolerationSeconds: short }: Toleration) {
  if (effect !== 'NoExecute' || typeof long !== 'number') return true;
  return typeof short === 'number' && short <= long;
}

function coversValue({ operator, value }: Toleration, narrow: Toleration): boolean {
  if (operator === 'Exists') return true;
  const isEqual = text(operator) === '' || operator === 'Equal';
  return isEqual && narrow.operator === 'Equal' && text(narrow.value) === text(value);
}

const text = (value: JsonValue | undefined): JsonValue => value ?? '';
