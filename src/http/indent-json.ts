/** Compact JSON text with line breaks and two spaces a level, numbers as they were. Follows go src/encoding/json/indent.go. */
export function indentJson(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  const lines = tokens.map((token) => {
    switch (token) {
      case '{':
      case '[':
        depth += 1;
        return `${token}${newLine(depth)}`;
      case '}':
      case ']':
        depth -= 1;
        return `${newLine(depth)}${token}`;
      case ',':
        return `,${newLine(depth)}`;
      case ':':
        return ': ';
      default:
        return token;
    }
  });
  return lines.join('');
}

const newLine = (depth: number): string => `\n${'  '.repeat(depth)}`;
