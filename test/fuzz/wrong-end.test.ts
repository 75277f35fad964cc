import { expect, test } from 'vitest';
import { createRandomChoices } from '../harness/random-choices.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { repeatWithWrongEnd } from './wrong-end.ts';

// For each of them a regular expression needed seconds or minutes.
const facts: readonly [fault: string, sample: string, isFound: (text: string) => boolean][] = [
  [
    'a long word and a comment before an address',
    'A b <a.b@c.d>',
    (text) => text.length < 100 && /^[A-Za-z ]*b{27}.*[()[\]:;,].*<a\.b@c\.d>$/s.test(text),
  ],
  ['brackets and quotes', "metadata.labels['a.b/c']", (text) => text.split("['").length > 1000],
  ['digits without a unit', '1h30m', (text) => /^\d{5000}/.test(text)],
  ['a start of a name many times', 'iqn.2001-04.com.example:a:b', (text) => text.split('iqn.2001-04.c').length > 100],
];

test.each(facts)('%s is drawn', (_fault, sample, isFound) => {
  const random = createRandomChoices(createSeededRandom(1));
  const texts = Array.from({ length: 5_000 }, () => repeatWithWrongEnd(random, sample));
  expect(texts.some(isFound)).toBe(true);
});
