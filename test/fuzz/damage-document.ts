import { parse, stringify } from 'yaml';
import type { RandomChoices } from '../harness/random-choices.ts';
import { mutateValue, corruptText } from '../harness/hostile-value.ts';
import { amplify } from './amplify.ts';
import { bytesOf } from './case.ts';
import { addYamlFeatures } from './encodings.ts';
import { jsonText } from './json-text.ts';

/** A YAML or JSON document with one or more changed values, sometimes malformed. */
export function damageDocument(random: RandomChoices, text: string): Uint8Array {
  let value = parseOrUndefined(text);
  if (value === undefined || random.chance(0.12)) return bytesOf(corruptText(random, text));
  do value = mutateValue(random, value);
  while (random.chance(0.4));
  if (random.chance(0.05)) return bytesOf(jsonText(amplify(random, value)));
  const written = stringify(value, { lineWidth: 0 });
  return bytesOf(random.chance(0.08) ? addYamlFeatures(random, written) : written);
}

function parseOrUndefined(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
