import { type Document, isScalar, visit } from 'yaml';

/** Offsets of repeated keys; `<<` may repeat. The parser's own check is quadratic: minutes for a mapping of 100,000 keys. */
export function repeatedKeys(document: Document.Parsed): readonly number[] {
  const offsets: number[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return offsets;
}
