const totalLimit = 4096;
const itemLimit = 256;

/**
 * The `Warning` header values for one answer, in order: repeats, empty texts and texts with control characters left
 * out. Once the texts exceed 4096 characters together, each is cut to 256 and later ones go until 4096 are written.
 * Follows apiserver pkg/endpoints/filters/warning.go (rules RSP-32 to RSP-34).
 */
export function warningHeaders(warnings: Iterable<string>): readonly string[] {
  let texts: Characters[] = [];
  let written = 0;
  let areCut = false;
  for (const whole of sendable(warnings)) {
    if (areCut && written >= totalLimit) break;
    const text = areCut ? cut(whole) : whole;
    texts.push(text);
    written += text.length;
    if (areCut || written <= totalLimit) continue;
    areCut = true;
    texts = texts.map(cut);
    written = texts.reduce((sum, one) => sum + one.length, 0);
  }
  return texts.map(headerOf);
}

/** A text as its characters (Go's runes). */
type Characters = readonly string[];

/** What a header can carry, each once; no more of many is looked at than are asked for. */
function* sendable(warnings: Iterable<string>): Iterable<Characters> {
  const seen = new Set(['']);
  for (const text of warnings) {
    if (seen.has(text)) continue;
    seen.add(text);
    if (!/\p{Cc}/u.test(text)) yield Array.from(text.slice(0, farEnough).replaceAll(/\p{Surrogate}/gu, '\ufffd'));
  }
}

/** What begins behind more characters than all may have together is not looked at: it would be cut. */
const farEnough = 2 * (totalLimit + 2);

const cut = (text: Characters): Characters => text.slice(0, itemLimit);

/** Agent `-` and the text as a quoted string. Follows apimachinery pkg/util/net/http.go NewWarningHeader. */
const headerOf = (text: Characters): string => `299 - "${text.join('').replaceAll(/["\\]/g, '\\$&')}"`;
