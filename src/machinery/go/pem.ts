export interface PemBlock {
  /** The type in the `BEGIN` line: `CERTIFICATE`. */
  readonly type: string;
  /** Are there lines `Key: value` before its contents? */
  readonly hasHeaders: boolean;
  /** Its contents in base64, without white space. */
  readonly base64: string;
}

const begin = '-----BEGIN ';
const dashes = '-----';

/**
 * The blocks of a text, in order; skips invalid ones. Each END line belongs to the last BEGIN line before it, so that
 * BEGIN lines without an end take linear time. Follows Go's encoding/pem Decode.
 */
export function* pemBlocks(text: string): Iterable<PemBlock> {
  const end = /^-----END (.*)-----[ \t]*\r?$/gm;
  for (let from = 0, found = end.exec(text); found; from = end.lastIndex, found = end.exec(text)) {
    const block = parseLastBlock(text.slice(from, found.index));
    if (block && block.type === found[1]) yield block;
  }
}

/** The last block that begins in the text before an END line. */
function parseLastBlock(text: string): PemBlock | undefined {
  const last = text.lastIndexOf(`\n${begin}`);
  if (last < 0 && !text.startsWith(begin)) return undefined;
  const [first = '', ...lines] = text.slice(last + 1 + begin.length).split('\n');
  const typed = first.trimEnd();
  if (!typed.endsWith(dashes)) return undefined;
  const headers = lines.findIndex((line) => !line.includes(':'));
  const base64 = lines
    .slice(Math.max(headers, 0))
    .join('')
    .replaceAll(/[ \t\r]/g, '');
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  return { type: typed.slice(0, -dashes.length), hasHeaders: headers > 0, base64 };
}
