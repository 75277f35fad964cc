import { isJsonObject } from '../../src/apimachinery/json.ts';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { atOnce } from '../../src/apimachinery/pause.ts';
import type { Steps } from '../../src/apimachinery/pause.ts';

/** What the pieces of a document's JSON say together; undefined when there is none. */
export function documentIn(steps: Steps<readonly string[] | undefined>): JsonObject | undefined {
  const texts = atOnce(steps);
  const value: unknown = texts && JSON.parse(texts.join(''));
  return isJsonObject(value) ? value : undefined;
}
