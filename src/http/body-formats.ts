import { setImmediate } from 'node:timers/promises';
import { mostValues, tooManyValuesText } from '../apimachinery/most-values.ts';
import { sortedJsonInSteps } from '../apimachinery/json-in-steps.ts';
import { inSteps } from '../apimachinery/pause.ts';
import { readYamlInSteps } from '../apimachinery/yaml/read-yaml.ts';
import type { YamlReading } from '../apimachinery/yaml/read-yaml.ts';
import type { BodyFormats } from '../request/rooms.ts';
import { pause } from './pause.ts';
import type { Release } from '../schema/release/release.ts';

/** A YAML text as the JSON document it stands for. Others are let in while a long one is read. */
export async function readYaml(text: string): Promise<YamlReading> {
  const steps = readYamlInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

/** YAML and protobuf request bodies. */
export const bodyFormats = ({ loadProtobuf }: Pick<Release, 'loadProtobuf'>): BodyFormats => ({
  yamlToJson: async (text) => {
    const read = await readYaml(text);
    if (read.outcome === 'unreadable') return { ok: false, error: read.error };
    if (read.values > mostValues) return { ok: false, error: tooManyValuesText };
    // Go reads YAML into maps and writes these as JSON: what is complained of comes in the order of the keys.
    const texts = await inSteps(sortedJsonInSteps(read.value), pause);
    return { ok: true, text: texts.join(''), duplicates: read.duplicates };
  },
  readProtobuf: async (body) => {
    const { decode } = await loadProtobuf();
    const decoded = decode(body);
    return decoded.outcome === 'decoded' ? { ok: true, object: decoded.object } : { ok: false, error: decoded.error };
  },
});
