import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { RandomChoices } from '../../harness/random-choices.ts';
import { mutateValue, corruptText } from '../../harness/hostile-value.ts';
import { amplify } from '../amplify.ts';
import { bytesOf, type Target } from '../case.ts';
import { addYamlFeatures } from '../encodings.ts';

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
  generate: (random) => {
    const files = Array.from(
      { length: filesInARun },
      (_none, index) => [`s${index}/scenario.yaml`, bytesOf(file(random))] as const,
    );
    return [{ act: 'folder', files: Object.fromEntries(files), command: ['test', '.'] }];
  },
};

function file(random: RandomChoices): string {
  const text = seeds[random.upTo(seeds.length - 1)] ?? '';
  if (random.chance(0.15)) return corruptText(random, text);
  let value: unknown = parse(text);
  do value = mutateValue(random, value);
  while (random.chance(0.5));
  if (random.chance(0.06)) return JSON.stringify(amplify(random, value));
  const written = stringify(value, { lineWidth: 0 });
  return random.chance(0.1) ? addYamlFeatures(random, written) : written;
}
