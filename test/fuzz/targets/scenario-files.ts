import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Draw } from '../../harness/draw.ts';
import { mutateValue, corruptText } from '../../harness/hostile-value.ts';
import { amplified } from '../amplify.ts';
import { bytesOf, type Target } from '../case.ts';
import { withTricks } from '../encodings.ts';

/** A run costs half a second, most of it the start. */
const filesInARun = 20;

/** The repository's scenarios without scripts, programs and webhook calls. */
const seeds = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('scenario.yaml'))
  .map((file) => readFileSync(join('scenarios', file), 'utf8'))
  .filter((text) => !/\b(?:script|exec|run|to|clock|matrix|order): /.test(text));

/** Scenario files, in folders for `kadmit test`. */
export const scenarioFiles: Target = {
  name: 'scenario',
  draw: (draw) => {
    const files = Array.from(
      { length: filesInARun },
      (_none, index) => [`s${index}/scenario.yaml`, bytesOf(file(draw))] as const,
    );
    return [{ act: 'folder', files: Object.fromEntries(files), command: ['test', '.'] }];
  },
};

function file(draw: Draw): string {
  const text = seeds[draw.upTo(seeds.length - 1)] ?? '';
  if (draw.chance(0.15)) return corruptText(draw, text);
  let value: unknown = parse(text);
  do value = mutateValue(draw, value);
  while (draw.chance(0.5));
  if (draw.chance(0.06)) return JSON.stringify(amplified(draw, value));
  const written = stringify(value, { lineWidth: 0 });
  return draw.chance(0.1) ? withTricks(draw, written) : written;
}
