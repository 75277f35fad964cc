import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Stack traces name positions in `src/`. Source maps are read when a trace is printed: Node's own support reads all of them at start. */
export function showSourcePositions(): void {
  Error.prepareStackTrace = (error, sites) => {
    // oxlint-disable-next-line typescript/no-base-to-string -- V8's CallSite has a toString of its own.
    const lines = sites.map((site) => `    at ${inSource(site.toString())}`);
    return [String(error), ...lines].join('\n');
  };
}

/** `name (file:///dist/chunk.js:1:31)`. */
function inSource(site: string): string {
  return site.replace(/file:[^)\s]*/, (place) => {
    const [column, line, ...url] = place.split(':').reverse();
    const built = url.reverse().join(':');
    const entry = mapOf(built)?.findEntry(Number(line) - 1, Number(column) - 1);
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
