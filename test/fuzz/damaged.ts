import { parse, stringify } from 'yaml';
import type { Draw } from '../harness/draw.ts';
import { mutateValue, corruptText } from '../harness/hostile-value.ts';
import { amplified } from './amplify.ts';
import { bytesOf } from './case.ts';
import { withTricks } from './encodings.ts';
import { jsonText } from './json-text.ts';

/** A YAML or JSON document with one or more changed values, sometimes malformed. */
export function damaged(draw: Draw, text: string): Uint8Array {
  let value = valueOf(text);
  if (value === undefined || draw.chance(0.12)) return bytesOf(corruptText(draw, text));
  do value = mutateValue(draw, value);
  while (draw.chance(0.4));
  if (draw.chance(0.05)) return bytesOf(jsonText(amplified(draw, value)));
  const written = stringify(value, { lineWidth: 0 });
  return bytesOf(draw.chance(0.08) ? withTricks(draw, written) : written);
}

function valueOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
