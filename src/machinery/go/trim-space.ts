/** Without the blanks around it, as Go's strings.TrimSpace: U+0085 is one of them and U+FEFF is none, unlike `trim`. */
export function trimSpace(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charAt(from))) from += 1;
  while (from < to && isBlank(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const isBlank = (character: string): boolean =>
  character === '\u0085' || (character !== '\uFEFF' && character.trim() === '');
