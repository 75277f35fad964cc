// Builds dist/ from src/: node test/tools/build.mjs [DIST] (docs/internals/decisions/0004-typescript-and-a-bundle.md)
import { buildPage, writePage } from './build-page.mjs';
import { writeBundle } from './bundle.mjs';
import { writeLaunchers } from './write-launchers.mjs';
import { writeLicences } from './write-licences.mjs';

const dist = process.argv[2] ?? 'dist';

const page = buildPage();
const output = await writeBundle(dist);
writeLaunchers(dist);
writePage(dist, await page);
writeLicences(dist, [...output, ...(await page).output]);
