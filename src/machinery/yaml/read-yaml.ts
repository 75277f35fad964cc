import { countValues, deepestNesting, isContainer } from '../json/json-walk.ts';
import { isJsonObject, isList, type JsonDocument, JsonNumber, setOwn } from '../json/json.ts';
import { readJson } from '../json/json-reader.ts';
import { tooManyValuesText } from '../json/body-limits.ts';
import { tooLargeNumberIn } from '../json/too-large-number.ts';
import { decodeDocument } from './decode-document.ts';
import { parseYaml } from './parse-yaml.ts';
import { yamlNumber } from './resolve-scalar.ts';
import { YamlFault } from './lex-yaml.ts';

export interface ReadYaml {
  readonly outcome: 'read';
  readonly value: JsonDocument;
  /** Go's errors about repeated keys; the last value wins: `line 4: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}

export type YamlReading = ReadYaml | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * The first document of a YAML text as JSON, with the scalars, the limits and the error texts of go-yaml. A text that is
 * JSON is read as JSON. More than `maxValues` values, aliases included, are an error. Follows sigs.k8s.io/yaml yaml.go
 * YAMLToJSON.
 */
export function readYaml(text: string, maxValues = Infinity): YamlReading {
  try {
    if (disallowedCharacters.test(text)) throw new YamlFault('yaml: control characters are not allowed');
    const json = readAsJson(text, maxValues);
    if (json !== undefined) return { outcome: 'read', value: json, duplicates: [] };
    const limits = { levels: deepestNesting, values: maxValues };
    const { root, lineOf } = parseYaml(text, limits, tooManyValuesText);
    if (root === undefined) return { outcome: 'read', value: null, duplicates: [] };
    return { outcome: 'read', ...decodeDocument(root, { lineOf, maxValues }) };
  } catch (error) {
    if (error instanceof YamlFault) return { outcome: 'unreadable', error: error.message };
    throw error;
  }
}

/** Follows goyaml.v2 readerc.go. A byte order mark may stand at the beginning. */
const disallowedCharacters = /(?!^)\ufeff|[^\t\n\r\u0020-\u007e\u0085\u00a0-\ufffd]/;

/** YAML makes a number beyond doubles a text, and reports repeated keys with their lines. */
function readAsJson(text: string, maxValues: number): JsonDocument | undefined {
  const start = jsonStart.exec(text)?.[0];
  if (start === undefined) return undefined;
  const reading = readJson(text.slice(start.length));
  if (reading.outcome === 'unreadable' || reading.json.hasDuplicates) return undefined;
  if (tooLargeNumberIn(reading.json) !== undefined) return undefined;
  const { value } = reading.json;
  if (isContainer(value) && countValues(value, maxValues).left < 1) throw new YamlFault(tooManyValuesText);
  return withYamlNumbers(value);
}

const jsonStart = /^(?:---(?=\s))?\s*(?=[{[])/;

/** Numbers as YAML reads them: `1.0` and `1` are the same. */
function withYamlNumbers(value: JsonDocument): JsonDocument {
  if (value instanceof JsonNumber) return yamlNumber(value.text);
  if (isList(value)) return value.map(withYamlNumbers);
  if (!isJsonObject(value)) return value;
  return Object.entries(value).reduce(
    (object, [field, item]) => setOwn(object, field, withYamlNumbers(item ?? null)),
    {},
  );
}

/** How sigs.k8s.io/yaml reports what it found. */
export const yamlErrorText = (errors: readonly string[]): string => `yaml: unmarshal errors:\n  ${errors.join('\n  ')}`;
