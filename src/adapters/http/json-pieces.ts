import { collectPieces } from './list-pieces.ts';

/** The texts, one after the other, in UTF-8, in a few pieces. */
export function bytesOf(texts: readonly string[]): readonly Buffer[] {
  const pieces = collectPieces();
  for (const text of texts) {
    pieces.add(text);
  }
  return pieces.all();
}

const pieceSize = 64 * 1024;

/** The same bytes in fewer pieces: each is a write of its own. */
export function joined(bytes: readonly Uint8Array[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let few: Uint8Array[] = [];
  let size = 0;
  for (const some of bytes) {
    few.push(some);
    size += some.byteLength;
    if (size < pieceSize) continue;
    pieces.push(Buffer.concat(few, size));
    [few, size] = [[], 0];
  }
  if (size > 0) pieces.push(Buffer.concat(few, size));
  return pieces;
}
