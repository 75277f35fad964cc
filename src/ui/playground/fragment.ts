import { isJsonObject } from '../../machinery/json/json.ts';
import type { PlaygroundTexts } from '../../app/playground/protocol.ts';

/** The texts after decompression; the same bound as that of a request. */
const maxBytes = 3 * 1024 * 1024;

/** `s=` and base64url of the texts as JSON, compressed. */
export async function toFragment(texts: PlaygroundTexts): Promise<string> {
  const { release, compareWith, objects, webhooks, requests } = texts;
  const json = JSON.stringify({ release, compareWith, objects, webhooks, requests });
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `${prefix}${toBase64Url(new Uint8Array(await new Response(stream).arrayBuffer()))}`;
}

const prefix = 's=';

export type FragmentReading =
  | { readonly type: 'none' }
  | { readonly type: 'texts'; readonly texts: PlaygroundTexts }
  /** `example=NAME`. */
  | { readonly type: 'example'; readonly name: string }
  | { readonly type: 'unreadable'; readonly problem: string };

/** Never rejects. `hash` with or without `#`. */
export async function readFragment(hash: string): Promise<FragmentReading> {
  const fragment = hash.replace(/^#/, '');
  if (fragment === '') return { type: 'none' };
  if (fragment.startsWith('example=')) return { type: 'example', name: fragment.slice('example='.length) };
  if (!fragment.startsWith(prefix)) return { type: 'unreadable', problem: 'this link is not one of the playground' };
  const bytes = fromBase64Url(fragment.slice(prefix.length));
  const json = bytes && (await decompress(bytes));
  if (json === undefined) return { type: 'unreadable', problem: 'this link is cut off or damaged' };
  if (json === 'too long') return { type: 'unreadable', problem: 'this link holds more than 3 MiB' };
  const texts = toTexts(json);
  return texts ? { type: 'texts', texts } : { type: 'unreadable', problem: 'this link is of another version' };
}

/** undefined for other JSON. */
export function toTexts(json: string): PlaygroundTexts | undefined {
  try {
    const value: unknown = JSON.parse(json);
    if (!isJsonObject(value)) return undefined;
    const { release, compareWith, objects, webhooks, requests } = value;
    const texts = [release, compareWith, objects, webhooks, requests].map((text) =>
      typeof text === 'string' ? text : undefined,
    );
    const [first, second, third, fourth, fifth] = texts;
    if (first === undefined || second === undefined || third === undefined) return undefined;
    if (fourth === undefined || fifth === undefined) return undefined;
    return { release: first, compareWith: second, objects: third, webhooks: fourth, requests: fifth };
  } catch {
    return undefined;
  }
}

/** undefined for bytes that are not compressed text. */
async function decompress(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      length += value.byteLength;
      if (length > maxBytes) {
        await reader.cancel();
        return 'too long';
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(pieces.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}
