import { maxBodyValues } from '../../machinery/json/body-limits.ts';
import { mapEntries } from './map-key.ts';
import { isBox, isCelList, isMap, type Value } from './value.ts';

/** The limit of a request body. Upstream has none and runs out of memory. */
export const valueLimitText = `the value of the expression has more than ${maxBodyValues} values inside`;

/** Nested lists that each contain one list twice cost little to make and have exponentially many values. */
export function exceedsValueLimit(value: Value): boolean {
  let count = 0;
  const open: Iterator<Value>[] = [[value].values()];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { done, value: next } = inner.next();
    if (done) {
      open.pop();
      continue;
    }
    count += 1;
    if (count > maxBodyValues) return true;
    const members = membersOf(next);
    if (members) open.push(members);
  }
  return false;
}

function membersOf(value: Value): Iterator<Value> | undefined {
  if (isCelList(value)) return value.values();
  if (isBox(value, 'struct')) return value.value.fields.values();
  if (isBox(value, 'optional')) return value.value === undefined ? undefined : [value.value].values();
  return isMap(value)
    ? mapEntries(value)
        .map(([, inner]) => inner)
        .values()
    : undefined;
}
