import { namesOf } from './field-names.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** About how many bytes of memory a value takes. Looks at no more than so many values inside: the rest counts as much. */
export function footprint(value: JsonValue | undefined, mostValues = 4096): number {
  const state = { bytes: 0, left: mostValues };
  look(state, [value]);
  // The list around it.
  return state.bytes - bytesOfContainer + (state.left > 0 ? 0 : bytesOfRest);
}

/** What has so many values has far more, most often. */
const bytesOfRest = 4 * 1024 * 1024;
const bytesOfContainer = 72;
const bytesOfText = 24;
const bytesOfOthers = 8;
const bytesOfName = 48;

interface State {
  bytes: number;
  left: number;
}

type Container = JsonObject | readonly (JsonValue | undefined)[];

const isList = (value: Container): value is readonly (JsonValue | undefined)[] => Array.isArray(value);

/** What has no values inside is counted where it stands: every write goes through here, and calls are what it costs. */
function look(state: State, container: Container): void {
  const isItems = isList(container);
  // A wide one would be listed each time.
  const names = isItems ? [] : namesOf(container);
  const length = isItems ? container.length : names.length;
  state.bytes += bytesOfContainer;
  for (let at = 0; at < length && state.left > 0; at += 1) {
    const value = isItems ? container[at] : container[names[at] ?? ''];
    state.left -= 1;
    if (!isItems) state.bytes += bytesOfName;
    if (typeof value === 'string') state.bytes += bytesOfText + value.length;
    else if (typeof value === 'object' && value !== null) look(state, value);
    else state.bytes += bytesOfOthers;
  }
}
