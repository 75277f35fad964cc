import { mostValues } from '../../machinery/json/most-values.ts';
import { mapEntries } from './map-key.ts';
import { isBox, isList, isMap } from './value.ts';
import type { Value } from './value.ts';

/** As many as a request may hold. Upstream has no such bound: there the process runs out of memory. */
export const tooMuch = `the value of the expression has more than ${mostValues} values inside`;

/** A list that holds one list twice, which does so too, and so on, costs next to nothing to make. */
export function isVast(value: Value): boolean {
  let count = 0;
  const open: Iterator<Value>[] = [[value].values()];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: next } = inner.next();
    if (done) {
      open.pop();
      continue;
    }
    count += 1;
    if (count > mostValues) return true;
    const members = membersOf(next);
    if (members) open.push(members);
  }
  return false;
}

function membersOf(value: Value): Iterator<Value> | undefined {
  if (isList(value)) return value.values();
  if (isBox(value, 'struct')) return value.value.fields.values();
  if (isBox(value, 'optional')) return value.value === undefined ? undefined : [value.value].values();
  return isMap(value)
    ? mapEntries(value)
        .map(([, inner]) => inner)
        .values()
    : undefined;
}
