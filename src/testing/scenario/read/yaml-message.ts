import { type Document, isScalar, visit, type YAMLParseError } from 'yaml';

type Complaint = Pick<YAMLParseError, 'code' | 'message'>;

const secondColon = 'a second ": " after the key: put the text in quotes, or the mapping on lines of its own';

const words: Partial<Record<Complaint['code'], (said: string) => string>> = {
  BLOCK_AS_IMPLICIT_KEY: () => secondColon,
  BLOCK_IN_FLOW: () => secondColon,
  BAD_ALIAS: () => 'a text that begins with * needs quotes; without them it is the name of an anchor',
  BAD_SCALAR_START: (said) => `a text that begins with ${said.at(-1) ?? 'this'} needs quotes`,
  BAD_DQ_ESCAPE: (said) => `${said}: write \\\\ in double quotes, or use single quotes`,
  TAB_AS_INDENT: () => 'a tab at the beginning of the line: YAML wants spaces there',
};

/** The YAML parser's message with a fix for common mistakes. */
export function yamlMessage({ code, message }: Complaint): string {
  const said = (message.split('\n')[0] ?? '').replace(/\.?$/, '');
  const word = words[code];
  if (word) return word(said);
  return said.startsWith('Implicit ') ? `${said}: is a ": " missing, or the indentation wrong?` : said;
}

/** Offsets of repeated keys; `<<` may repeat. The parser's own check is quadratic: minutes for a mapping of 100,000 keys. */
export function repeatedKeys(document: Document.Parsed): readonly number[] {
  const offsets: number[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return offsets;
}
