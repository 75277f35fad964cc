// Writes the version of package.json into the pages that show it, and the date into CHANGELOG.md. `npm version X.Y.Z` runs it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const pages = ['docs', 'scenarios'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
);
for (const page of ['README.md', ...pages]) {
  rewrite(page, (text) => text.replace(/\b(kadmit[ @-])\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?/g, `$1${version}`));
}
const today = new Date().toISOString().slice(0, 10);
rewrite('CHANGELOG.md', (text) => {
  if (!/^## .* \(unreleased\)$/m.test(text)) throw new Error('CHANGELOG.md has no heading that ends with (unreleased)');
  return text.replace(/^## .* \(unreleased\)$/m, `## ${version} (${today})`);
});

function rewrite(file, change) {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed !== text) writeFileSync(file, changed);
}
