/** Indents compact JSON by two spaces a level, numbers unchanged. Follows go src/encoding/json/indent.go. */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') {
      const end = endOfString(text, at);
      parts.push(text.slice(at, end));
      at = end - 1;
    } else if ((char === '{' && text[at + 1] === '}') || (char === '[' && text[at + 1] === ']')) {
      parts.push(text.slice(at, at + 2));
      at += 1;
    } else {
      if (char === '{' || char === '[') depth += 1;
      if (char === '}' || char === ']') depth -= 1;
      parts.push(withBreak(char, depth));
    }
  }
  return parts.join('');
}

function withBreak(char: string, depth: number): string {
  const newLine = (): string => `\n${'  '.repeat(depth)}`;
  if (char === '{' || char === '[' || char === ',') return char + newLine();
  if (char === '}' || char === ']') return newLine() + char;
  return char === ':' ? ': ' : char;
}

/** The offset after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
