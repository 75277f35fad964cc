import { read, unreadable } from '../configuration-document.ts';
import type { Reading } from '../configuration-document.ts';

/**
 * The documents of a text, empty ones left out. Behind `---` only a comment may stand.
 * Follows apimachinery pkg/util/yaml/decoder.go YAMLReader.
 */
export function splitDocuments(text: string): Reading<readonly string[]> {
  const parts = text.split(separatorLine);
  // Every second part is what stands behind a separator.
  const wrong = parts.find((part, index) => index % 2 === 1 && !/^(#|$)/.test(part.trim()));
  if (wrong !== undefined) return unreadable(`invalid Yaml document separator: ${wrong.trim()}`);
  const documents = parts.filter((_part, index) => index % 2 === 0).map((part) => part.trim());
  return read(documents.filter((document) => document !== ''));
}

const separatorLine = /^---(.*)\r?$/m;
