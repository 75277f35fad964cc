import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Servers, kubectl and clocks share one machine in CI: a real fault fails twice.
const retry = process.env['CI'] ? 1 : 0;

// Each worker loads the sources once for all its files: tests leave no state in modules.
const isolate = false;

// Node loads the modules, as in kadmit: Vite's runner turns every use of an import into a property read, which slows loops.
// Neither module mocks nor plugins are needed.
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

// unit: what `npm run check` runs, inside the process. system: real servers, webhook processes and the recorded facts, with
// Node alone. regexps: every regular expression is linear. programs: kubectl, Chromium and etcd, skipped with a message
// where they are missing.
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
          // The slowest test takes 2 s on a quiet machine.
          testTimeout: 60_000,
        },
      },
      // The stall planted in test/system/fuzz.test.ts takes 80 ms.
      { test: { name: 'system', ...outside, include: ['test/system/**/*.test.ts'], env: { FUZZ_STALL_MS: '50' } } },
      { test: { name: 'regexps', include: ['test/regexps/*.check.ts'], execArgv, testTimeout: 600_000 } },
      { test: { name: 'programs', ...outside, include: ['test/programs/**/*.test.ts'] } },
    ],
  },
});
