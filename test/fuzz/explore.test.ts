import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { request, type Target } from './case.ts';
import { describeFinding } from './describe-problem.ts';
import { explore } from './explore.ts';
import type { OpenTestBed } from './test-bed.ts';

/** About two cases in five contain the word. */
const saying = (word: string): Target => ({
  name: 'planted',
  generate: (random) => {
    const item = random.chance(0.4) ? word : 'nothing';
    return [
      request('GET', '/'),
      request('POST', '/', { list: ['first', { [item]: 'x'.repeat(random.upTo(20)) }, 'last'] }),
    ];
  },
});

/** A fake server with the effect of a body that contains one of these words. */
async function openStage(): Promise<OpenTestBed> {
  const healthy = { worstMs: 1, polluted: [] as readonly string[] };
  let [turn, complaints, ended, timers] = [healthy, '', '', 3];
  const faults: Readonly<Record<string, () => void>> = {
    crash: () => (ended = 'it ended with code 1'),
    stall: () => (turn = { ...healthy, worstMs: 1_600 }),
    pollution: () => (turn = { ...healthy, polluted: ['Object.prototype.planted'] }),
    complaint: () => (complaints = 'Error: planted\n    at somewhere (file:///planted.js:1:1)\n'),
    timers: () => (timers += 100),
  };
  const since = <Value>(seen: Value, forget: () => void): Value => {
    forget();
    return seen;
  };
  return {
    program: '',
    ground: { webhook: { url: '', caBundle: '' } },
    webhook: { ground: { webhook: { url: '', caBundle: '' } }, answerWith: () => {}, close: () => {} },
    clients: {
      send: async (act) => {
        const text = 'body' in act ? new TextDecoder().decode(act.body) : '';
        Object.entries(faults).find(([word]) => text.includes(word))?.[1]();
        const code = text.includes('failure') ? 500 : 200;
        return { code, text: '{}', fate: text.includes('silence') ? 'silent' : 'answered' };
      },
      close: () => {},
    },
    subject: {
      port: 0,
      kubeconfig: '',
      credentials: { ca: '', cert: '', key: '' },
      reportLoop: async () => since(turn, () => (turn = turn.polluted.length > 0 ? turn : healthy)),
      diagnose: async () => ({ descriptors: 20, timers, heapUsed: 1000, external: 0 }),
      takeErrors: () => since(complaints, () => (complaints = '')),
      starvedMs: () => 0,
      ended: () => ended,
      stop: async () => {},
    },
    close: async () => {},
  };
}

const exploration = {
  seed: 3,
  openStage,
  milliseconds: 10_000,
  firstCase: 0,
  maxCases: 12,
  maxFindings: 1,
  shrinking: { tries: 120, milliseconds: 10_000 },
  closeMs: 0,
};

test.each([
  ['crash', 'crash'],
  ['stall', 'stall'],
  ['failure', 'unexpected 5xx'],
  ['pollution', 'polluted prototype'],
  ['complaint', 'bug'],
  ['silence', 'no answer'],
])('a planted %s is found, and what shows it made small', async (word, fault) => {
  const { found } = await explore({ ...exploration, target: saying(word) });
  const [first] = found;
  expect(first).toMatchObject({ fault, isAlone: true });
  const carried = first?.acts.map((act) => ('body' in act ? new TextDecoder().decode(act.body) : ''));
  expect(carried).toEqual([word]);
  expect(first && describeFinding(first, 3)).toContain(
    `npm run fuzz -- --seed 3 --target planted --case ${first?.number}`,
  );
});

test('timers that run on are a leak', async () => {
  const { found } = await explore({ ...exploration, target: saying('timers'), milliseconds: 20, maxCases: Infinity });
  expect(found).toMatchObject([{ fault: 'leak', detail: expect.stringMatching(/^\d+00 timers were left running$/) }]);
});

test('where nothing is planted nothing is found', async () => {
  const { cases, found } = await explore({ ...exploration, target: saying('harmless') });
  expect({ cases, found }).toEqual({ cases: 12, found: [] });
});

test('a command that goes on is ended when the time of its target is over, and nothing is said of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-endless-'));
  const program = join(folder, 'endless.mjs');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  const target: Target = { name: 'planted', generate: () => [{ act: 'folder', files: {}, command: ['test'] }] };
  const explored = await explore({
    target,
    seed: 1,
    openStage: async () => ({ ...(await openStage()), program }),
    milliseconds: 300,
    firstCase: 0,
    maxCases: 3,
    maxFindings: 5,
    shrinking: { tries: 0, milliseconds: 0 },
    closeMs: 0,
  });
  rmSync(folder, { recursive: true });
  expect(explored).toMatchObject({ cases: 1, found: [] });
});
