/** A text in pieces of at most so many characters and one, none of which ends within a character of two units. */
export function* piecesOfText(text: string, length: number): Generator<string, void> {
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(text, at + length);
    yield text.slice(at, end);
    at = end;
  }
}

function endOfPiece(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
