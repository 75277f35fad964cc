const totalLimit = 4096;
const itemLimit = 256;

/**
 * The `Warning` header values for one answer, in order: repeats, empty texts and texts with control characters left
 * out. Once the texts exceed 4096 characters together, each is cut to 256 and later ones go until 4096 are written.
 * Follows apiserver pkg/endpoints/filters/warning.go (rules RSP-32 to RSP-34).
 */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const distinct = [...new Set(warnings)]
    .filter((text) => text !== '')
    .map((text) => Array.from(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')));
  const overflow = overflowAt(distinct);
  if (overflow < 0) return distinct.filter(isPrintable).map(headerOf);
  const replayed = distinct.slice(0, overflow + 1).map(cut);
  const written = lengthOf(replayed.filter(isPrintable));
  const rest = distinct.slice(overflow + 1).map(cut);
  return [...replayed, ...untilFull(rest, written)].filter(isPrintable).map(headerOf);
}

/** A text as its characters (Go's runes). */
type Characters = readonly string[];

/** The first text with which the sum passes the limit; -1 when all fit. Texts that no header can carry do not count. */
function overflowAt(texts: readonly Characters[]): number {
  let written = 0;
  return texts.findIndex((text) => {
    if (!isPrintable(text)) return false;
    written += text.length;
    return written > totalLimit;
  });
}

function untilFull(texts: readonly Characters[], alreadyWritten: number): readonly Characters[] {
  let written = alreadyWritten;
  return texts.filter((text) => {
    if (written >= totalLimit) return false;
    written += isPrintable(text) ? text.length : 0;
    return true;
  });
}

const cut = (text: Characters): Characters => text.slice(0, itemLimit);

const lengthOf = (texts: readonly Characters[]): number => texts.reduce((sum, text) => sum + text.length, 0);

const isPrintable = (text: Characters): boolean => !text.some((character) => /\p{Cc}/u.test(character));

/** Agent `-` and the text as a quoted string. Follows apimachinery pkg/util/net/http.go NewWarningHeader. */
const headerOf = (text: Characters): string => `299 - "${text.join('').replaceAll(/["\\]/g, '\\$&')}"`;
