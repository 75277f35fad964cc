import type * as Yaml from 'yaml';
import { JsonNumber, isJsonObject } from '../apimachinery/json.ts';
import type { JsonDocument } from '../apimachinery/json.ts';
import { writeJson } from '../apimachinery/json-writer.ts';
import type { BodyFormats } from '../request/rooms.ts';
import { loadProtobuf } from '../schema/protobuf/protobuf.ts';

type YamlReading =
  /** `duplicates` are Go's complaints of keys given twice, the last of which holds: `line 4: key "a" already set in map`. */
  | { readonly outcome: 'read'; readonly value: JsonDocument; readonly duplicates: readonly string[] }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * A YAML text as the JSON document it stands for. YAML 1.1, as Go's reader: `yes` is true. The parser is loaded when
 * the first YAML comes.
 */
export async function readYaml(text: string): Promise<YamlReading> {
  const yaml = await import('yaml');
  const document = yaml.parseDocument(text, {
    version: '1.1',
    intAsBigInt: true,
    logLevel: 'silent',
    customTags: (tags) => tags.filter(isKnownToGo),
  });
  const problem = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  if (problem) return { outcome: 'unreadable', error: `yaml: ${problem.message.split('\n')[0] ?? ''}` };
  const duplicates = document.errors.length === 0 ? [] : duplicatesIn(yaml, document, text);
  try {
    return { outcome: 'read', value: asDocument(document.toJS({ maxAliasCount: 100 })), duplicates };
  } catch (error) {
    return { outcome: 'unreadable', error: `yaml: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A date stays the text it is, and `1:30` is no number of base 60. Follows sigs.k8s.io/yaml goyaml.v2/resolve.go. */
const isKnownToGo = (tag: Yaml.Tags[number]): boolean =>
  typeof tag === 'string' || (!tag.tag.endsWith(':timestamp') && !('format' in tag && tag.format === 'TIME'));

/** Follows sigs.k8s.io/yaml goyaml.v2/decode.go. */
function duplicatesIn(
  { visit, isScalar }: typeof Yaml,
  document: Yaml.Document.Parsed,
  text: string,
): readonly string[] {
  const found: string[] = [];
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          const line = text.slice(0, key.range?.[0]).split('\n').length;
          found.push(`line ${line}: key ${JSON.stringify(key.value)} already set in map`);
        }
        seen.add(key.value);
      }
    },
  });
  return found;
}

/** Only what JSON can say: other values (dates, sets, not-a-number) as their text. */
function asDocument(value: unknown): JsonDocument {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : new JsonNumber(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map(asDocument);
  if (!isJsonObject(value)) return JSON.stringify(value);
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, asDocument(one)]));
}

/** YAML and protobuf request bodies. */
export const bodyFormats: BodyFormats = {
  yamlToJson: async (text) => {
    const read = await readYaml(text);
    if (read.outcome === 'unreadable') return { ok: false, error: read.error };
    return { ok: true, text: writeJson(read.value), duplicates: read.duplicates };
  },
  readProtobuf: async (body) => {
    const { decode } = await loadProtobuf();
    const decoded = decode(body);
    return decoded.outcome === 'decoded' ? { ok: true, object: decoded.object } : { ok: false, error: decoded.error };
  },
};
