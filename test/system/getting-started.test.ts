import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findKubectls } from '../harness/kubectl.ts';
import { playWalkthrough } from '../harness/play-walkthrough.ts';

// Everything that the pages tell a new user to type is typed, and every output they show is compared. When an output has
// rightly changed, `npx vitest run --project system getting-started -u` writes it into the pages.

const pages = ['README.md', 'scenarios/getting-started/README.md', 'scenarios/own-ca-webhook/README.md'];
const kubectls = findKubectls();
const runs = (program: string): boolean => spawnSync(program, ['version']).status === 0;
const missing = [...(kubectls.length === 0 ? ['kubectl'] : []), ...(runs('openssl') ? [] : ['openssl'])];
const notRun = `NOT RUN, there is no ${missing.join(' and no ')} on the PATH: `;

describe.skipIf(missing.length > 0)(`${missing.length > 0 ? notRun : ''}what the pages say is what happens`, () => {
  test.each(
    pages.flatMap((page) =>
      (missing.length > 0 ? [''] : kubectls).map((kubectl) => ({ page, kubectl, name: basename(kubectl) })),
    ),
  )('$page with $name', async ({ page, kubectl }) => {
    expect(existsSync('dist/main.js'), 'npm run build makes dist').toBe(true);
    await expect(await playWalkthrough(page, kubectl)).toMatchFileSnapshot(join(process.cwd(), page));
  });
});
