import { defineConfig } from 'vitest/config';

// unit: what `npm run check` runs, nothing outside the process. system: real servers, real kubectl, the recorded facts.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/system/**'] } },
      { test: { name: 'system', include: ['test/system/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
