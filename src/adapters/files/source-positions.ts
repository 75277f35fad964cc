import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Replaces the positions of built files, `file:///dist/chunk.js:1:31`, by those in `src/`. Not by Error.prepareStackTrace:
 * Node reads the stack of each error that ends a socket, and reading a source map takes 100 ms.
 */
export function withSourcePositions(text: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return text.replaceAll(/file:[^)\s]*/g, (place) => {
    const [column, line, ...url] = place.split(':').reverse();
    const built = url.reverse().join(':');
    if (!maps.has(built)) maps.set(built, mapOf(built));
    const entry = maps.get(built)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return place;
    return `${new URL(entry.originalSource, built).href}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')));
  } catch {
    return undefined; // A file that was not built.
  }
}
