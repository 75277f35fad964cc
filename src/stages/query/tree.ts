import type { JsonValue } from '../../apimachinery/json.ts';

/** A filter of jq: what goes in makes any number of values. */
export type Query =
  | { readonly type: 'identity' }
  | { readonly type: 'literal'; readonly value: JsonValue }
  | { readonly type: 'member'; readonly of: Query; readonly key: Query }
  | { readonly type: 'each'; readonly of: Query }
  | { readonly type: 'optional'; readonly of: Query }
  | { readonly type: 'list'; readonly of: Query | undefined }
  | { readonly type: 'pipe'; readonly first: Query; readonly second: Query }
  | { readonly type: 'both'; readonly first: Query; readonly second: Query }
  | { readonly type: 'operation'; readonly sign: string; readonly left: Query; readonly right: Query }
  | { readonly type: 'choice'; readonly test: Query; readonly yes: Query; readonly no: Query }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Query[] };

/** What is wrong with a query, or what it cannot do with a value. It does not leave this folder. */
export class QueryFault extends Error {}
