/** Where a schema stands: the root, an item of an array, a field. */
export type Level = 'root' | 'item' | 'field';
