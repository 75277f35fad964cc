import type { Steps } from './pause.ts';

/** So many bytes are a step. */
const piece = 256 * 1024;

/** Bytes in UTF-8 as text, as TextDecoder reads them: of eight megabytes it takes a while. */
export function* textInSteps(bytes: Uint8Array): Steps<string> {
  const decoder = new TextDecoder();
  if (bytes.length <= piece) return decoder.decode(bytes);
  const texts: string[] = [];
  for (let from = 0; from < bytes.length; from += piece) {
    texts.push(decoder.decode(bytes.subarray(from, from + piece), { stream: true }));
    yield;
  }
  texts.push(decoder.decode());
  return texts.join('');
}
