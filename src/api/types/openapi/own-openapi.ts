import type { JsonObject } from '../../../machinery/json/json.ts';

/** What a resource publishes of itself, where it is not built in. All rows of a version of a definition share one. */
export interface OwnOpenapi {
  /** Another one when it publishes something else. */
  readonly hash: () => string;
  /** A whole document. */
  readonly v3: () => JsonObject;
  /** Its `paths`, `definitions` and `parameters`. */
  readonly v2: () => JsonObject;
}

export const ownOpenapiOf = (rows: readonly { readonly openapi?: OwnOpenapi }[]): readonly OwnOpenapi[] => [
  ...new Set(rows.flatMap(({ openapi }) => (openapi ? [openapi] : []))),
];
