import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { requestEntityTooLarge } from '../../machinery/meta/status.ts';
import { ThrownStatus } from '../../machinery/meta/thrown-status.ts';
import { readOnce } from './properties.ts';

/** What the defaults of a schema have added to one object. */
export interface Filling {
  /** Counts the default of a schema, once more. Throws ThrownStatus when it is too much. */
  readonly take: (schema: JsonObject) => void;
}

/**
 * Ours: a list of small objects, each with large defaults, grows without bound in the server's memory upstream, until
 * etcd refuses what is larger than 1.5 MiB.
 */
const mostFilled = { values: 50_000, characters: 3 * 1024 * 1024 };

export const tooManyDefaultsText = `kadmit fills in at most ${mostFilled.values} values and ${mostFilled.characters} characters of a schema's defaults`;

export function createFilling(): Filling {
  let values = 0;
  let characters = 0;
  return {
    take: (schema) => {
      const size = sizeOfDefault(schema);
      values += size.values;
      characters += size.characters;
      if (values <= mostFilled.values && characters <= mostFilled.characters) return;
      throw new ThrownStatus(tooManyDefaultsText, requestEntityTooLarge(tooManyDefaultsText));
    },
  };
}

const sizeOfDefault = readOnce((schema) => {
  const size = { values: 0, characters: 0 };
  if (schema['default'] !== undefined) measure(schema['default'], size);
  return size;
});

function measure(value: JsonValue, size: { values: number; characters: number }): void {
  size.values += 1;
  if (typeof value === 'string') size.characters += value.length;
  if (Array.isArray(value)) for (const item of value) measure(item, size);
  else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      size.characters += name.length;
      if (inner !== undefined) measure(inner, size);
    }
  }
}
