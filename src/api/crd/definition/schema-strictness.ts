/** How strict a definition is judged; an old one that was worse may stay so. */
export interface SchemaStrictness {
  readonly knownTypes: boolean;
  readonly atomicSets: boolean;
  readonly soundMapKeys: boolean;
}
