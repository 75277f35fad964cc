// Builds dist/ from src/: node test/tools/build.mjs [DIST] [--package], with --package as users install it (docs/internals/decisions/0004-typescript-and-a-bundle.md)
import { parseArgs } from 'node:util';
import { buildPage, writePage } from './build-page.mjs';
import { writeBundle } from './bundle.mjs';
import { writeLaunchers } from './write-launchers.mjs';
import { writeLicences } from './write-licences.mjs';

const { values, positionals } = parseArgs({
  options: { package: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [dist = 'dist'] = positionals;

const page = buildPage();
const output = await writeBundle(dist, { packages: values.package });
writeLaunchers(dist);
writePage(dist, await page);
if (values.package) writeLicences(dist, [...output, ...(await page).output]);
