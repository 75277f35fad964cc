import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { findKubectls } from '../harness/kubectl.ts';
import { runWalkthrough } from '../harness/run-walkthrough.ts';

// Everything that the pages tell a new user to type is typed, and every output they show is compared. When an output has
// rightly changed, `npx vitest run --project programs getting-started -u` writes it into the pages.

const kubectls = findKubectls();
const runs = (program: string): boolean => spawnSync(program, ['version']).status === 0;

const pages = [
  { page: 'README.md', needs: [] },
  { page: 'scenarios/getting-started/README.md', needs: [] },
  { page: 'docs/guides/operators.md', needs: [] },
  { page: 'scenarios/own-ca-webhook/README.md', needs: ['openssl'] },
  { page: 'scenarios/certificate-flow/README.md', needs: ['openssl'] },
].map(({ page, needs }) => {
  const lacking = [...(kubectls.length === 0 ? ['kubectl'] : []), ...needs.filter((program) => !runs(program))];
  return { page, lacking: lacking.join(' and no ') };
});

test.each(
  pages
    .filter(({ lacking }) => lacking === '')
    .flatMap(({ page }) => kubectls.map((kubectl) => ({ page, kubectl, name: basename(kubectl) }))),
)(
  'what $page says is what happens, with $name',
  async ({ page, kubectl }) => {
    expect(existsSync('dist/main.js'), 'npm run build makes dist').toBe(true);
    await expect(await runWalkthrough(page, kubectl)).toMatchFileSnapshot(join(process.cwd(), page));
  },
  180_000,
);

for (const { page, lacking } of pages.filter((one) => one.lacking !== '')) {
  test.runIf(lacking === '')(`NOT RUN, there is no ${lacking} on the PATH: what ${page} says is what happens`, () => {
    expect(lacking).toBe('');
  });
}
