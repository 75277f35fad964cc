import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scripts } from '../../../../src/app/cli/completion/completion.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

// A kadmit that knows three words, one with a description, and files after --trace-dir.
const stub = join(folder, 'kadmit');
writeFileSync(
  stub,
  `#!/bin/sh
case "$*" in
  *--trace-dir*) echo :folders ;;
  *) printf 'explain\\twhat happened\\njson\\npod/\\n' ;;
esac
`,
);
chmodSync(stub, 0o755);
const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` };
const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

test.skipIf(!isThere('fish'))('fish completes words with and without descriptions, and values of flags', () => {
  const file = join(folder, 'kadmit.fish');
  writeFileSync(file, scripts['fish'] ?? '');
  const complete = (line: string): readonly string[] =>
    execFileSync('fish', ['-c', `source ${file}; complete -C '${line}'`], { env, encoding: 'utf8' }).split('\n');
  expect(complete('kadmit ')).toEqual(['explain\twhat happened', 'json', 'pod/', '']);
  expect(complete('kadmit explain --output=j')).toEqual(['--output=json', '']);
});

test.each(Object.entries(scripts).filter(([shell]) => isThere(shell)))('%s can read its script', (shell, script) => {
  const file = join(folder, `script.${shell}`);
  writeFileSync(file, script);
  const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
