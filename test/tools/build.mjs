// Builds dist/ from src/: node test/tools/build.mjs [DIST]
// A few files instead of 400, since Node 20 takes longer to find modules than to run them, and beside each what V8 made of
// it (docs/decisions/0010-compiled-ahead.md). What is imported dynamically stays a chunk of its own and is loaded when it is
// needed.
import { buildPage, writePage } from './build-page.mjs';
import { writeBundle } from './bundle.mjs';
import { compileAhead } from './compile-ahead.mjs';
import { writeLaunchers } from './write-launchers.mjs';
import { writeLicences } from './write-licences.mjs';

const dist = process.argv[2] ?? 'dist';

const page = buildPage();
const output = await writeBundle(dist);
writeLaunchers(dist);
writeLicences(dist, output);
await compileAhead(dist);
writePage(dist, await page);
