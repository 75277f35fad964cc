import jsonPatch from 'fast-json-patch';
import type { JsonObject } from '../../machinery/json/json.ts';

export const patchBetween = (before: JsonObject, after: JsonObject): readonly JsonObject[] =>
  jsonPatch.compare(before, after).map((operation): JsonObject => ({ ...operation }));
