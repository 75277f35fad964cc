import { isScalar, visit } from 'yaml';
import type { Document } from 'yaml';

/**
 * Where keys stand that their mapping has already; `<<` may be repeated. The parser itself compares each key with all
 * before it, which takes minutes for a mapping of 100,000.
 */
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
