import type { JsonObject } from '../../../machinery/json/json.ts';

/** Shared by all rows of one version of a definition. */
export interface OwnOpenapi {
  /** Changes with the documents. */
  readonly hash: () => string;
  readonly v3: () => JsonObject;
  /** Its `paths`, `definitions` and `parameters`. */
  readonly v2: () => JsonObject;
}

export const ownOpenapiOf = (rows: readonly { readonly openapi?: OwnOpenapi }[]): readonly OwnOpenapi[] => [
  ...new Set(rows.flatMap(({ openapi }) => (openapi ? [openapi] : []))),
];
