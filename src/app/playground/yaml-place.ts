import { closeBlocks, flow, type Frame, columnOf, type LineEnd, readLine } from './yaml-frames.ts';

/** What stands at an offset of a YAML text that may be unfinished. */
export interface YamlPlace {
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
export function yamlPlace(text: string, offset: number): YamlPlace | undefined {
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
  return { ...placeIn(frames, end, line.length), from: offset - wordLength };
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
function placeIn(frames: readonly Frame[], end: LineEnd, column: number): Omit<YamlPlace, 'from'> {
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
