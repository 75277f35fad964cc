import { mostValues, tooManyValuesText } from '../../machinery/json/most-values.ts';
import { sortedJson } from '../../machinery/json/sorted-json.ts';
import { readYamlAtOnce } from '../../machinery/yaml/read-yaml.ts';
import type { YamlReading } from '../../machinery/yaml/read-yaml.ts';
import type { BodyFormats } from '../../apiserver/request/rooms.ts';
import type { Release } from '../../api/release/release.ts';

/** A YAML text as the JSON document it stands for. */
export const readYaml = (text: string): Promise<YamlReading> => Promise.resolve(readYamlAtOnce(text));

/** YAML and protobuf request bodies. */
export const bodyFormats = ({ loadProtobuf }: Pick<Release, 'loadProtobuf'>): BodyFormats => ({
  yamlToJson: async (text) => {
    const read = await readYaml(text);
    if (read.outcome === 'unreadable') return { ok: false, error: read.error };
    if (read.values > mostValues) return { ok: false, error: tooManyValuesText };
    // Go reads YAML into maps and writes these as JSON: what is complained of comes in the order of the keys.
    return { ok: true, text: sortedJson(read.value), duplicates: read.duplicates };
  },
  readProtobuf: async (body) => {
    const { decode } = await loadProtobuf();
    const decoded = decode(body);
    return decoded.outcome === 'decoded' ? { ok: true, object: decoded.object } : { ok: false, error: decoded.error };
  },
});
