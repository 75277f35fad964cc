import { maxBodyValues } from '../../machinery/json/body-limits.ts';
import { sortedJson } from '../../machinery/json/json-writer.ts';
import { readYaml as readYamlText, type YamlReading } from '../../machinery/yaml/read-yaml.ts';
import type { BodyFormats } from '../../apiserver/request/handler-deps.ts';
import type { Release } from '../../api/release/release.ts';

/** For callers that load the reader asynchronously. */
export const readYamlBody = async (text: string): Promise<YamlReading> => readYamlText(text);

export const bodyFormats = ({ loadProtobuf }: Pick<Release, 'loadProtobuf'>): BodyFormats => ({
  yamlToJson: async (text) => {
    const read = readYamlText(text, maxBodyValues);
    if (read.outcome === 'unreadable') return { ok: false, error: read.error };
    // Go reads YAML into maps and writes these as JSON: errors are in the order of the keys.
    return { ok: true, text: sortedJson(read.value), duplicates: read.duplicates };
  },
  readProtobuf: async (body) => {
    const { decode } = await loadProtobuf();
    const decoded = decode(body);
    return decoded.outcome === 'decoded' ? { ok: true, object: decoded.object } : { ok: false, error: decoded.error };
  },
});
