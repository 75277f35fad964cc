import { embeddedId, packedType } from '../explain/trace/page-html.ts';
import type { Trace } from '../explain/trace/trace.ts';
import type { PageSource } from './page-source.ts';
import { tracesSource } from './traces-source.ts';

/** The traces in the page itself; undefined for a page from a server. */
export async function fileSource(): Promise<PageSource | undefined> {
  const element = document.getElementById(embeddedId);
  if (element === null) return undefined;
  const text = element.textContent ?? '';
  const json = element.getAttribute('type') === packedType ? await unpacked(text) : text;
  const { items } = JSON.parse(json) as { readonly items: readonly Trace[] };
  return tracesSource('trace file', items);
}

/** Decodes base64 of gzip. */
function unpacked(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
