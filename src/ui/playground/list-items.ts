/** An item of a block sequence: `- …`, without the blank lines and comments that follow it. */
export interface ListItem {
  /** UTF-16 offsets: of the dash, and behind the last character. */
  readonly from: number;
  readonly to: number;
  /** The column of the dash. */
  readonly indent: number;
}

/** The items of a text that is one block sequence; [] for any other text. */
export function listItems(text: string): readonly ListItem[] {
  const items: { from: number; to: number; readonly indent: number }[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const indent = indentOf(line);
    const to = at + line.trimEnd().length;
    const last = items.at(-1);
    if (isDash(line) && indent === (last?.indent ?? indent)) items.push({ from: at + indent, to, indent });
    else if (last !== undefined && !isBlank(line) && indent > last.indent) last.to = to;
    else if (!isBlank(line) && !isComment(line)) return [];
    at += line.length + 1;
  }
  return items;
}

const isDash = (line: string): boolean => /^ *-(?:\s|$)/.test(line);

export const isComment = (line: string): boolean => line.trimStart().startsWith('#');

export const indentOf = (line: string): number => line.length - line.trimStart().length;

export const isBlank = (line: string): boolean => line.trim() === '';
