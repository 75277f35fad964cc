import { errorText } from '../../machinery/errors.ts';
import { documentHead, type DocumentHead } from '../../machinery/meta/document-head.ts';
import { isList, type JsonDocument } from '../../machinery/json/json.ts';
import { readBoundedFile } from '../../adapters/files/bounded-file.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { CommandContext } from './command.ts';

export interface FileManifest extends DocumentHead {
  /** `pods.yaml, document 2`. */
  readonly place: string;
  readonly file: string;
  /** The first line of the document, from 1. */
  readonly line: number;
  /** With several documents: `document 2 of 7`. */
  readonly progress: string;
}

/**
 * The objects of a file of YAML or JSON documents (`-`: standard input), also those of a List, without empty documents.
 * Throws ConfigError for unreadable input.
 */
export async function* streamManifests(
  file: string,
  readYaml: CommandContext['readYaml'],
): AsyncGenerator<FileManifest> {
  let isEmpty = true;
  const parts = documentsIn(readText(file));
  let { linesBefore } = parts;
  for (const [index, part] of parts.texts.entries()) {
    const line = linesBefore + 1 + linesIn(/^(?:\s*(?:#.*)?\n)*/.exec(part)?.[0] ?? '');
    linesBefore += linesIn(part);
    const place = parts.texts.length === 1 ? nameOf(file) : `${nameOf(file)}, document ${index + 1}`;
    const reading = await readYaml(part);
    if (reading.outcome === 'unreadable') throw new ConfigError(`${place}: ${reading.error}`);
    const found = reading.value === null ? [] : objectsIn(reading.value, place);
    isEmpty &&= found.length === 0;
    for (const one of found)
      yield { ...one, file: nameOf(file), line, progress: `document ${index + 1} of ${parts.texts.length}` };
  }
  if (isEmpty) throw new ConfigError(`${nameOf(file)} holds no object`);
}

/** Text before the first `---` is a document unless it is empty. */
function documentsIn(text: string): { readonly texts: readonly string[]; readonly linesBefore: number } {
  const [head = '', ...others] = text.split(/^---(?=\s|$).*$/m);
  return others.length > 0 && isBlank(head)
    ? { texts: others, linesBefore: linesIn(head) }
    : { texts: [head, ...others], linesBefore: 0 };
}

const isBlank = (text: string): boolean => text.split('\n').every((line) => /^\s*(?:#|$)/.test(line));

const linesIn = (text: string): number => text.split('\n').length - 1;

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

/** Half the longest possible string. */
const maxBytes = 256 * 1024 * 1024;

function readText(file: string): string {
  try {
    return readBoundedFile(file === '-' ? 0 : file, maxBytes);
  } catch (error) {
    throw new ConfigError(`${nameOf(file)} cannot be read: ${errorText(error)}`);
  }
}

function objectsIn(value: JsonDocument, place: string): readonly Omit<FileManifest, 'progress' | 'file' | 'line'>[] {
  const head = documentHead(value);
  if (typeof head === 'string') throw new ConfigError(`${place}: ${head}`);
  const { items } = head.document;
  if (head.kind.kind === 'List' && isList(items)) {
    return items.flatMap((item, at) => objectsIn(item, `${place}, item ${at + 1}`));
  }
  return [{ place, ...head }];
}
