import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../src/testing/stubs/seeded-random.ts';
import { findScenarios, loadScenario } from '../../../src/testing/scenario/load-scenario.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

// Whatever stands in a file, loading ends with a scenario or with errors that have a place.

const folder = temporaryFolder();

const found = findScenarios(['scenarios']);
const texts = found.outcome === 'found' ? found.files.map((file) => readFileSync(file, 'utf8')) : [];
const pieces = [
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '"',
  "'",
  '*x',
  '&x ',
  '<<: *x',
  '\n',
  '\t',
  '!!binary x',
  '|',
  '---\n',
  '?',
  '0',
  'null',
  '~',
  '# ',
  '%',
  '\u0000',
  '__proto__: 1',
];

function mutated(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const to = at + Math.floor(random() * 30);
  const piece = pieces[Math.floor(random() * pieces.length)] ?? '';
  return `${text.slice(0, at)}${piece}${text.slice(random() < 0.5 ? at : to)}`;
}

test.each([1, 2, 3, 4])('broken scenarios, seed %i', async (seed) => {
  const random = createSeededRandom(seed);
  const file = join(folder, `${seed}.yaml`);
  for (const text of texts) {
    writeFileSync(file, mutated(mutated(text, random), random));
    const loading = await loadScenario(file);
    if (loading.outcome === 'loaded') continue;
    expect(loading.problems.length).toBeGreaterThan(0);
    for (const { place, message } of loading.problems) {
      expect(place.line).toBeGreaterThan(0);
      expect(message).not.toMatch(/undefined|\[object|\n/);
    }
  }
});
