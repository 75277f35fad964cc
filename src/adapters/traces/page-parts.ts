import { existsSync, readFileSync } from 'node:fs';
import type { PageParts } from '../../explain/trace/page-html.ts';

export type PageReading =
  | { readonly outcome: 'read'; readonly parts: PageParts }
  | { readonly outcome: 'missing'; readonly problem: string };

// This file is src/explain/trace/page-parts.ts, dist/main.js or dist/chunks/*.js.
const folders = ['./page/', '../page/', '../../../dist/page/'].map((path) => new URL(path, import.meta.url));

/** Reads the page that `npm run build` leaves in dist/page. */
export function readPageParts(): PageReading {
  const folder = folders.find((one) => existsSync(new URL('page.js', one)));
  if (folder === undefined) return { outcome: 'missing', problem: 'the page is not built: run npm run build' };
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
  return { outcome: 'read', parts: { script: read('page.js'), style: read('page.css') } };
}
