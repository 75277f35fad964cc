import { JsonNumber, isJsonObject } from '../apimachinery/json.ts';
import type { JsonDocument } from '../apimachinery/json.ts';
import { writeJson } from '../apimachinery/json-writer.ts';
import type { BodyFormats } from '../request/rooms.ts';
import { loadProtobuf } from '../schema/protobuf.ts';

type YamlReading =
  | { readonly outcome: 'read'; readonly value: JsonDocument }
  | { readonly outcome: 'unreadable'; readonly error: string };

/**
 * A YAML text as the JSON document it stands for. YAML 1.1, as Go's reader: `yes` is true. The parser is loaded when
 * the first YAML comes.
 */
export async function readYaml(text: string): Promise<YamlReading> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { version: '1.1', intAsBigInt: true, logLevel: 'silent' });
  const [problem] = document.errors;
  if (problem) return { outcome: 'unreadable', error: `yaml: ${problem.message.split('\n')[0] ?? ''}` };
  try {
    return { outcome: 'read', value: asDocument(document.toJS({ maxAliasCount: 100 })) };
  } catch (error) {
    return { outcome: 'unreadable', error: `yaml: ${error instanceof Error ? error.message : String(error)}` };
  }
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
    return read.outcome === 'read' ? { ok: true, text: writeJson(read.value) } : { ok: false, error: read.error };
  },
  readProtobuf: async (body) => {
    const { decode } = await loadProtobuf();
    const decoded = decode(body);
    return decoded.outcome === 'decoded' ? { ok: true, object: decoded.object } : { ok: false, error: decoded.error };
  },
};
