import { ConfigError } from '../../../../adapters/config/config-error.ts';
import { unpackedText } from '../../../../adapters/config/read-files.ts';
import { errorText } from '../../../../machinery/errors.ts';

export interface DocumentText {
  readonly format: 'json' | 'yaml';
  readonly text: string;
  /** Counts from 1. */
  readonly number: number;
}

/** A server accepts objects of up to 3 MiB. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Streams the documents of a file, perhaps gzipped: YAML with `---` between them, or JSON objects in sequence. Rejects with ConfigError for
 * an unreadable file or a document longer than 16 MiB.
 */
export async function* documentsIn(file: string): AsyncGenerator<DocumentText> {
  let number = 0;
  try {
    for await (const { format, text } of splitTexts(file)) {
      number += 1;
      if (text === undefined) throw new ConfigError(`${file}: document ${number} is longer than 16 MiB`);
      yield { format, text, number };
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file} cannot be read: ${errorText(error)}`);
  }
}

interface DocumentPiece {
  readonly format: 'json' | 'yaml';
  /** undefined: too long. */
  readonly text: string | undefined;
}

async function* splitTexts(file: string): AsyncGenerator<DocumentPiece> {
  let format: DocumentPiece['format'] = 'yaml';
  let splitter: Splitter | undefined;
  for await (const piece of unpackedText(file)) {
    if (splitter === undefined) {
      if (piece.trim() === '') continue;
      format = /^\s*\{/.test(piece) ? 'json' : 'yaml';
      splitter = format === 'json' ? createJsonValues() : createYamlDocuments();
    }
    for (const text of splitter.push(piece)) yield { format, text };
    if (splitter.size() > maxBytes) yield { format, text: undefined };
  }
  const rest = splitter?.rest() ?? '';
  if (rest.trim() !== '') yield { format, text: rest };
}

function createYamlDocuments(): Splitter {
  let lines: string[] = [];
  let partial = '';
  let size = 0;
  return {
    push: (piece) => {
      const [first = '', ...others] = piece.split('\n');
      partial += first;
      const ended: string[] = [];
      for (const next of others) {
        if (/^---(?:\s|$)/.test(partial)) {
          ended.push(lines.join('\n'));
          lines = [];
          size = 0;
        } else {
          lines.push(partial);
          size += partial.length;
        }
        partial = next;
      }
      return ended.filter((text) => text.trim() !== '');
    },
    size: () => size + partial.length,
    rest: () => [...lines, partial].join('\n'),
  };
}

const quote = 34;
const backslash = 92;
const openers: ReadonlySet<number> = new Set([91, 123]);
const closers: ReadonlySet<number> = new Set([93, 125]);

/** JSON objects in sequence, on one line each or pretty-printed. Brackets end an object; the parser finds other errors. */
function createJsonValues(): Splitter {
  let text = '';
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  const readCharacter = (code: number): boolean => {
    if (isQuoted) {
      if (isEscaped) isEscaped = false;
      else if (code === backslash) isEscaped = true;
      else if (code === quote) isQuoted = false;
      return false;
    }
    if (code === quote) isQuoted = true;
    else if (openers.has(code)) depth += 1;
    else if (closers.has(code)) depth -= 1;
    return depth <= 0 && closers.has(code);
  };
  return {
    push: (piece) => {
      const ended: string[] = [];
      let start = 0;
      for (let at = 0; at < piece.length; at += 1) {
        if (!readCharacter(piece.charCodeAt(at))) continue;
        ended.push(text + piece.slice(start, at + 1));
        text = '';
        depth = 0;
        start = at + 1;
      }
      text += piece.slice(start);
      return ended;
    },
    size: () => text.length,
    rest: () => text,
  };
}

/** Finds the ends of documents. */
interface Splitter {
  /** Documents that end in this piece. */
  readonly push: (piece: string) => readonly string[];
  readonly size: () => number;
  readonly rest: () => string;
}
