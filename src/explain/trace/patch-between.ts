import jsonPatch from 'fast-json-patch';
import type { JsonObject } from '../../machinery/json/json.ts';

/** How to get from one object to the other, for people to read. */
export const patchBetween = (before: JsonObject, after: JsonObject): readonly JsonObject[] =>
  jsonPatch.compare(before, after).map((operation): JsonObject => ({ ...operation }));
