import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../fuzz/case.ts';
import { explore } from '../fuzz/explore.ts';
import { findLeaks } from '../fuzz/find-leaks.ts';
import { openTestBed, type OpenTestBed } from '../fuzz/test-bed.ts';
import { targets } from '../fuzz/targets.ts';
import { runCase } from '../fuzz/run-case.ts';

const server = {
  program: resolve('test/fuzz/planted-server.ts'),
  nodeFlags: ['--import', resolve('test/tools/typescript.mjs')],
};

let stage: OpenTestBed;
beforeAll(async () => {
  stage = await openTestBed({ name: 'planted', generate: () => [] }, server);
});
afterAll(() => stage.close());

const saying = (word: string) => [request('GET', '/'), request('POST', '/', { list: ['first', { [word]: 'x' }] })];

// What is planted in test/fuzz/planted-server.ts; the server is gone after the last one. What an exploration makes of
// such findings is tested in test/fuzz/explore.test.ts.
test('timers that run on are a leak', async () => {
  const before = await stage.subject.diagnose();
  expect((await runCase(stage, saying('timers'))).finding).toBe(undefined);
  expect(await findLeaks(stage.subject, before, 0)).toEqual(['100 timers were left running']);
});

test.each([
  ['nothing', undefined],
  ['failure', { fault: 'unexpected 5xx', detail: '500 out of order' }],
  ['complaint', { fault: 'bug', detail: expect.stringContaining('at somewhere (file:///planted.js:1:1)') }],
  ['stall', { fault: 'stall', detail: expect.stringMatching(/^\d+ ms of processor time, \d+ bytes sent$/) }],
  ['pollution', { fault: 'polluted prototype', detail: expect.stringContaining('Object.prototype.planted') }],
  ['crash', { fault: 'crash', detail: expect.stringContaining('it ended with code 1') }],
])('%s, planted in a server, is what the probe and the clients see', async (word, finding) => {
  expect((await runCase(stage, saying(word))).finding).toEqual(finding);
});

test.each(['token', 'snapshot', 'log', 'import', 'config'])(
  'what is planted is found by target %s',
  async (name) => {
    const target = targets.find((one) => one.name === name);
    if (target === undefined) throw new Error(`no target ${name}`);
    const { found } = await explore({
      target,
      seed: 2,
      openStage: () => openTestBed(target, server),
      milliseconds: 100_000,
      firstCase: 0,
      maxCases: Infinity,
      maxFindings: 1,
      shrinking: { tries: 0, milliseconds: 0 },
      closeMs: 0,
    });
    expect(found).toMatchObject([{ target: name, detail: expect.stringMatching(/planted|code 1/) }]);
  },
  120_000,
);
