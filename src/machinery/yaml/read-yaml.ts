import type { JsonDocument } from '../json/json.ts';
import { JsonFault, YamlFault } from './cursor.ts';
import type { Work } from './cursor.ts';
import { decodeNodes } from './decode-nodes.ts';
import { createEvents } from './events.ts';
import { createNodeBuilder } from './nodes.ts';
import type { YamlNode } from './nodes.ts';
import { createScanner } from './scanner.ts';

export interface ReadYaml {
  readonly outcome: 'read';
  readonly value: JsonDocument;
  readonly duplicates: readonly string[];
  /** How many values it holds: to look for them afterwards takes long. */
  readonly values: number;
  /** Is nothing behind the first document? */
  readonly isAll: boolean;
}

export type YamlReading =
  /** `duplicates` are Go's complaints of keys given twice, the last of which holds: `line 4: key "a" already set in map`. */
  ReadYaml | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * The first document of a YAML text as JSON, with the limits and in the words of Go's reader: YAML 1.1,
 * and aliases that do not multiply without end. A step is a small part of the work, so that others can be let in between.
 * Follows sigs.k8s.io/yaml yaml.go YAMLToJSON.
 */
export function* readYamlInSteps(text: string): Work<YamlReading> {
  try {
    if (notAllowed.test(text)) throw new YamlFault('control characters are not allowed');
    const { root, isAll } = yield* parse(text);
    if (!root) return { outcome: 'read', value: null, duplicates: [], values: 1, isAll };
    const decoding = decodeNodes(root);
    for (let taken = 0; ; taken += 1) {
      const value = decoding.result();
      if (value !== undefined) {
        return { outcome: 'read', value, duplicates: decoding.duplicates, values: decoding.values(), isAll };
      }
      decoding.step();
      if (taken % stepLength === 0) yield;
    }
  } catch (error) {
    if (error instanceof JsonFault) return { outcome: 'unreadable', error: error.message };
    if (error instanceof YamlFault) return { outcome: 'unreadable', error: `yaml: ${error.message}` };
    throw error;
  }
}

/** The same at once. */
export function readYamlAtOnce(text: string): YamlReading {
  const steps = readYamlInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** How Go's YAML reader reports what it found. */
export const yamlErrors = (errors: readonly string[]): string => `yaml: unmarshal errors:\n  ${errors.join('\n  ')}`;

/** How many nodes or events make a step. */
const stepLength = 2000;

/** Follows goyaml.v2 readerc.go. A byte order mark may stand at the beginning. */
const notAllowed = /(?!^)\ufeff|[^\t\n\r\u0020-\u007e\u0085\u00a0-\ufffd]/;

interface Parsed {
  readonly root: YamlNode | undefined;
  readonly isAll: boolean;
}

function* parse(text: string): Work<Parsed> {
  const scanner = createScanner(text);
  const next = createEvents(scanner);
  const builder = createNodeBuilder();
  let root: YamlNode | undefined;
  for (let taken = 1; ; taken += 1) {
    yield* scanner.prepare();
    const event = next();
    if (!event) return { root, isAll: scanner.peek().type === 'stream-end' };
    root = builder.add(event);
    if (taken % stepLength === 0) yield;
  }
}
