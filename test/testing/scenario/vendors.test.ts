import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printedPage } from '../../harness/printed-page.ts';

const path = 'docs/guides/ten-vendors.md';
const page = readFileSync(path, 'utf8');

test.each([path, 'docs/reference/trials.md'])(
  '%s prints what its commands print',
  { timeout: 120_000 },
  async (file) => {
    await expect(await printedPage(readFileSync(file, 'utf8'))).toMatchFileSnapshot(join(process.cwd(), file));
  },
);

test('each vendor with a scenario is linted, permuted and refed on the page', () => {
  const folders = readdirSync('scenarios/vendors', { withFileTypes: true }).filter((one) => one.isDirectory());
  const vendors = folders.map(({ name }) => name).filter((name) => name !== 'together');
  expect(vendors.length).toBe(10);
  const commands = page.split('\n').filter((line) => line.startsWith('$ kadmit '));
  for (const command of ['lint', 'order', 'idempotency']) {
    expect(
      vendors.filter(
        (name) => !commands.some((line) => line.startsWith(`$ kadmit ${command} `) && line.includes(`vendors/${name}`)),
      ),
    ).toEqual([]);
  }
});
