import { hasManyNames, namesOf } from './field-names.ts';
import { isJsonObject, isList } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** About how many bytes of memory a value takes. Looks at no more than so many values inside: the rest counts as much. */
export function footprint(value: JsonValue | undefined, mostValues = 4096): number {
  const state = { bytes: 0, left: mostValues };
  look(state, value);
  return state.left > 0 ? state.bytes : state.bytes + bytesOfRest;
}

/** What has so many values has far more, most often. */
const bytesOfRest = 4 * 1024 * 1024;
const bytesOfContainer = 64;
const bytesOfName = 48;

interface State {
  bytes: number;
  left: number;
}

function look(state: State, value: JsonValue | undefined): void {
  state.left -= 1;
  state.bytes += typeof value === 'string' ? 24 + value.length : 8;
  if (isList(value)) {
    state.bytes += bytesOfContainer;
    for (let at = 0; at < value.length && state.left > 0; at += 1) look(state, value[at]);
  } else if (isJsonObject(value)) {
    state.bytes += bytesOfContainer;
    lookAtFields(state, value);
  }
}

function lookAtFields(state: State, value: JsonObject): void {
  if (hasManyNames(value)) {
    // A loop over the object itself would list them again.
    namesOf(value).every((name) => lookAtField(state, name, value));
    return;
  }
  for (const name in value) if (!lookAtField(state, name, value)) return;
}

/** False when enough was looked at. */
function lookAtField(state: State, name: string, value: JsonObject): boolean {
  if (state.left <= 0) return false;
  state.bytes += bytesOfName;
  look(state, value[name]);
  return true;
}
