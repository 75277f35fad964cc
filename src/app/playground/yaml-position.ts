/** What stands at an offset of a YAML text that may be unfinished. */
export interface YamlPosition {
  /** The keys down to the place, `[]` for an item of a list; with the own key for a value. */
  readonly path: readonly string[];
  /** `item`: of a list, where a scalar or the first key of a mapping may stand. */
  readonly role: 'key' | 'value' | 'item';
  /** Of the word at the offset. */
  readonly from: number;
  /** The keys before it in the same mapping. */
  readonly siblings: readonly string[];
}

/** undefined in comments and block scalars. */
export function findYamlPosition(text: string, offset: number): YamlPosition | undefined {
  const before = text.slice(text.lastIndexOf('\n---', offset - 1) + 1, offset);
  const wordLength = before.length - startOfWord(before);
  const lines = before.slice(0, before.length - wordLength).split('\n');
  const line = lines.pop() ?? '';
  const { frames, scalar } = framesBefore(lines);
  if (/(?:^|\s)#/.test(line) || (scalar !== undefined && line.length > scalar)) return undefined;
  const wasFlow = frames.at(-1)?.indent === flow;
  const end = readLine(line, frames);
  if (end === 'scalar') return undefined;
  if (end === 'blank' && !wasFlow) closeBlocks(frames, line.length, false);
  return { ...positionInFrames(frames, end, line.length), from: offset - wordLength };
}

/** Where the word at the end of the text begins. */
function startOfWord(text: string): number {
  let start = text.length;
  while (start > 0 && /[\w./$-]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** `scalar`: the column of the key of a block scalar that is still open. */
function framesBefore(lines: readonly string[]): { readonly frames: Frame[]; readonly scalar: number | undefined } {
  const frames: Frame[] = [];
  let scalar: number | undefined;
  for (const line of lines) {
    if (scalar !== undefined && (line.trim() === '' || columnOf(line) > scalar)) continue;
    scalar = readLine(line, frames) === 'scalar' ? frames.at(-1)?.indent : undefined;
  }
  return { frames, scalar };
}

/** `column`: where the word begins in its line. */
function positionInFrames(frames: readonly Frame[], end: LineEnd, column: number): Omit<YamlPosition, 'from'> {
  const frame = frames.at(-1);
  const path = frames.map(({ key }) => key);
  const isFlow = frame?.indent === flow;
  if (end === 'dash' || (isFlow && frame.isList)) return { path, role: 'item', siblings: [] };
  if (isFlow ? frame.key !== '' : end === 'value') return { path, role: 'value', siblings: [] };
  const isInside = frame !== undefined && (isFlow || (!frame.isList && frame.indent >= column));
  return isInside
    ? { path: path.slice(0, -1), role: 'key', siblings: frame.keys }
    : { path, role: 'key', siblings: [] };
}

/** A mapping or list that is open at a place of a YAML text. */
interface Frame {
  /** Of a block its column, of a flow collection `flow`. */
  readonly indent: number;
  readonly isList: boolean;
  /** The last key; `[]` of a list; '' before the first key. */
  key: string;
  /** All keys so far. */
  readonly keys: string[];
}

const flow = -1;

/** What a line ends with; `scalar`: a block scalar begins behind it. */
type LineEnd = 'blank' | 'dash' | 'value' | 'scalar' | 'text';

/** Opens and closes the frames of a line. */
function readLine(line: string, frames: Frame[]): LineEnd {
  if (line.trim() === '' || /^\s*#/.test(line) || line.startsWith('---')) return 'blank';
  if (frames.at(-1)?.indent === flow) {
    readFlow(line, frames);
    return 'text';
  }
  const { column, rest } = readDashes(line, frames);
  if (rest === '') return 'dash';
  const { key, value } = splitKey(rest);
  if (key !== undefined) readKey(key, column, frames);
  if (key !== undefined && /^\s*(?:[&!]\S+\s+)*[|>][-+\d]*\s*$/.test(value)) return 'scalar';
  readFlow(value, frames);
  return key === undefined ? 'text' : 'value';
}

const columnOf = (line: string): number => line.length - line.trimStart().length;

/** `key: value`; a value alone has no key. */
function splitKey(text: string): { readonly key: string | undefined; readonly value: string } {
  const end = text.search(/:(?:\s|$)/);
  const key = text.slice(0, Math.max(end, 0)).trim();
  const isKey = end !== -1 && /^(?:"[^"]*"|'[^']*'|[^\s"'{}[\],#&*][^"'{}[\],#]*)$/.test(key);
  return isKey ? { key: unquoted(key), value: text.slice(end + 1) } : { key: undefined, value: text };
}

const unquoted = (text: string): string => text.replaceAll(/^["']|["']$/g, '');

function readKey(key: string, column: number, frames: Frame[]): void {
  const last = frames.at(-1);
  const isOpen = last !== undefined && !last.isList && last.indent === column;
  const frame = isOpen ? last : { indent: column, isList: false, key: '', keys: [] };
  if (!isOpen) frames.push(frame);
  frame.key = key;
  frame.keys.push(key);
}

/** Opens a list for each dash; returns what follows them. */
function readDashes(line: string, frames: Frame[]): { readonly column: number; readonly rest: string } {
  let column = columnOf(line);
  let rest = line.slice(column);
  for (let dash = matchDash(rest); dash !== undefined; dash = matchDash(rest)) {
    closeBlocks(frames, column, true);
    const last = frames.at(-1);
    if (last?.isList !== true || last.indent !== column) frames.push(listFrame(column));
    column += dash.length;
    rest = rest.slice(dash.length);
  }
  if (column === columnOf(line)) closeBlocks(frames, column, false);
  return { column, rest };
}

const matchDash = (text: string): string | undefined => /^-(?:\s+|$)/.exec(text)?.[0];

const listFrame = (indent: number): Frame => ({ indent, isList: true, key: '[]', keys: [] });

/** Closes the blocks that a line at this column ends. A list may be in the column of its key. */
function closeBlocks(frames: Frame[], column: number, isDash: boolean): void {
  for (let last = frames.at(-1); last !== undefined; last = frames.at(-1)) {
    if (last.indent < column || (last.indent === column && (isDash || !last.isList))) return;
    frames.pop();
  }
}

/** Opens and closes flow collections. */
function readFlow(text: string, frames: Frame[]): void {
  for (const [token] of text.matchAll(/\s#.*|"[^"]*"?|'[^']*'?|[{}[\],]|:(?=\s|$)|[^\s"'{}[\],:]+|:|\s/g)) {
    const frame = frames.at(-1);
    if (token === '{') frames.push({ indent: flow, isList: false, key: '', keys: [] });
    else if (token === '[') frames.push(listFrame(flow));
    else if (frame?.indent === flow) readFlowToken(token, frame, frames);
  }
}

function readFlowToken(token: string, frame: Frame, frames: Frame[]): void {
  if (token === (frame.isList ? ']' : '}')) frames.pop();
  else if (frame.isList || token.trim() === '') return;
  else if (token === ',') frame.key = '';
  else if (token === ':') frame.keys.push(frame.key);
  else if (frame.key === '') frame.key = unquoted(token);
}
