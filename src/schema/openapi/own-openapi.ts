import { asObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import type { Steps } from '../../apimachinery/pause.ts';

/** What a resource publishes of itself, where it is not built in. All rows of a version of a definition share one. */
export interface OwnOpenapi {
  /** Another one when it publishes something else. */
  readonly hash: () => string;
  /** A whole document. */
  readonly v3: () => Steps<JsonObject>;
  /** Its `paths`, `definitions` and `parameters`. */
  readonly v2: () => Steps<JsonObject>;
}

export const ownOpenapiOf = (rows: readonly { readonly openapi?: OwnOpenapi }[]): readonly OwnOpenapi[] => [
  ...new Set(rows.flatMap(({ openapi }) => (openapi ? [openapi] : []))),
];

/** One document of those of several definitions in the same group and version. */
export function mergeOpenapi(documents: readonly JsonObject[]): JsonObject {
  const [first] = documents;
  const paths = documents.flatMap((document) => Object.entries(asObject(document['paths'])));
  const schemas = documents.flatMap((document) =>
    Object.entries(asObject(asObject(document['components'])['schemas'])),
  );
  return { ...first, paths: sortedByName(paths), components: { schemas: sortedByName(schemas) } };
}

const sortedByName = (fields: readonly (readonly [string, JsonObject[string]])[]): JsonObject =>
  Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
