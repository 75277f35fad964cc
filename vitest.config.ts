import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Servers, kubectls and clocks share one machine in CI: what is wrong fails twice.
const retry = process.env['CI'] ? 1 : 0;

// The sources are read once for each worker, not once for each file: no test leaves anything in a module behind.
const isolate = false;

// Node itself reads the modules, as it does in kadmit: Vite's runner hands each one from process to process, and makes of
// every use of an import the reading of a property, which loops pay for. Neither mocks of modules nor plugins are needed.
const execArgv = ['--import', new URL('test/tools/typescript.mjs', import.meta.url).href];
const experimental = { viteModuleRunner: false, nodeLoader: false };

const outside = {
  retry,
  isolate,
  execArgv,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
};

// unit: what `npm run check` runs, nothing outside the process. system: real servers, webhook processes, the recorded
// facts; with Node alone. regexps: no regular expression is slow, a minute or two. programs: what only kubectl, Chromium or etcd can show; each says so where its program is missing.
export default defineConfig({
  test: {
    // Much of a system test is waiting, for servers, kubectl and clocks: one worker more than there are processors.
    maxWorkers: availableParallelism() + 1,
    experimental,
    projects: [
      {
        test: {
          name: 'unit',
          retry,
          isolate,
          execArgv,
          include: ['test/**/*.test.ts'],
          exclude: ['test/system/**', 'test/programs/**'],
          testTimeout: 20_000,
        },
      },
      // The stall planted in test/system/fuzz.test.ts takes 80 ms.
      { test: { name: 'system', ...outside, include: ['test/system/**/*.test.ts'], env: { FUZZ_STALL_MS: '50' } } },
      { test: { name: 'regexps', include: ['test/regexps/*.check.ts'], execArgv, testTimeout: 600_000 } },
      { test: { name: 'programs', ...outside, include: ['test/programs/**/*.test.ts'] } },
    ],
  },
});
