import { expect, test } from 'vitest';
import { describeFinding } from '../fuzz/describe.ts';
import { explore } from '../fuzz/explore.ts';
import { request } from '../fuzz/case.ts';
import type { Target } from '../fuzz/case.ts';

const server = { program: 'test/fuzz/planted-server.ts', nodeFlags: ['--import', './test/tools/typescript.mjs'] };

/** Two cases in five, more or less, says the word among others. */
const saying = (word: string): Target => ({
  name: 'planted',
  draw: (draw) => {
    const item = draw.chance(0.4) ? word : 'nothing';
    return [
      request('GET', '/'),
      request('POST', '/', { list: ['first', { [item]: 'x'.repeat(draw.upTo(20)) }, 'last'] }),
    ];
  },
});

const exploration = {
  seed: 3,
  server,
  milliseconds: 60_000,
  firstCase: 0,
  atMost: 12,
  enough: 1,
  shrinking: { tries: 12, milliseconds: 30_000 },
};

// What is planted in test/fuzz/planted-server.ts.
test.each([
  ['crash', 'crash'],
  ['stall', 'stall'],
  ['failure', 'unexpected 5xx'],
  ['pollution', 'polluted prototype'],
  ['complaint', 'bug'],
])('a planted %s is found, and what shows it made small', async (word, fault) => {
  const { found } = await explore({ ...exploration, target: saying(word) });
  const [first] = found;
  expect(first).toMatchObject({ fault, isAlone: true });
  const carried = first?.acts.map((act) => ('body' in act ? new TextDecoder().decode(act.body) : ''));
  expect(carried).toEqual([expect.stringMatching(`^.{0,22}${word}.{0,14}$`)]);
  expect(first && describeFinding(first, 3)).toContain(
    `npm run fuzz -- --seed 3 --target planted --case ${first?.number}`,
  );
});

test('timers that run on are a leak', { timeout: 90_000 }, async () => {
  const { found } = await explore({ ...exploration, target: saying('timers'), atMost: 8 });
  expect(found).toMatchObject([{ fault: 'leak', detail: expect.stringContaining('timers were left running') }]);
});

test('where nothing is planted nothing is found', async () => {
  const { cases, found } = await explore({ ...exploration, target: saying('harmless') });
  expect({ cases, found }).toEqual({ cases: 12, found: [] });
});
