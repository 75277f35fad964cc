import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// Scenarios come from pull requests: nothing in one of them ends, hangs or starves the run. Only the built program has threads.

const root = temporaryFolder();
let folders = 0;

function write(files: Readonly<Record<string, string>>): string {
  folders += 1;
  const folder = join(root, String(folders));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const map = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }';
const step = `steps: [{ create: ${map} }]\n`;
const rules = 'rules: [{ operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps] }]';
const scripted = `name: scripted
webhooks: [{ name: a.example.com, type: mutating, ${rules}, does: { script: ./hook.mjs } }]
${step}`;
const fine = { 'fine/scenario.yaml': `name: fine\n${step}` };
const withScript = (script: string) => ({
  ...fine,
  'scripted/scenario.yaml': scripted,
  'scripted/hook.mjs': script,
  'zz-fine/scenario.yaml': `name: fine too\n${step}`,
});

const main = process.env['KADMIT_MAIN'] ?? 'dist/main.js';

function run(folder: string, ...flags: readonly string[]) {
  const args = [main, 'test', folder, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 });
  return { status, stdout, stderr };
}

const passedOthers = /3 scenarios: 2 passed, 1 could not be run/;

test.each<readonly [script: string, code: string, flags: readonly string[], says: RegExp]>([
  ['ends the process', 'export default () => process.exit(0);', [], /a script ended the process with code 0/],
  [
    'never lets go',
    'export default () => { for (;;); };',
    ['--scenario-timeout', '1s'],
    /did not end within 1 s and blocks its thread/,
  ],
  [
    'never answers',
    'export default () => new Promise(() => setInterval(() => {}, 1000));',
    ['--scenario-timeout', '1s'],
    /it took longer than 1 s/,
  ],
  [
    'throws outside of its promise',
    'export default () => { setTimeout(() => { throw new Error("late"); }); return new Promise(() => {}); };',
    [],
    /unhandled error: late/,
  ],
])('a script that %s: its scenario could not be run, the others have', (_script, code, flags, says) => {
  const { status, stdout } = run(write(withScript(code)), ...flags);
  expect(stdout).toMatch(says);
  expect(stdout).toMatch(passedOthers);
  expect(status).toBe(1);
});

test('a step that takes too long has failed', () => {
  const { status, stdout } = run(write(withScript('export default () => new Promise(() => {});')), '--step-timeout=1s');
  expect(stdout).toMatch(/timeout: the step took longer than 1 s/);
  expect(stdout).toMatch(/3 scenarios: 2 passed, 1 failed/);
  expect(status).toBe(1);
});

test('a script that ends the process when it is loaded: its file could not be read, the others are run', () => {
  const { status, stdout } = run(write(withScript('process.exit(0);')));
  expect(stdout).toMatch(/reading it ended the run: a script ended the process with code 0/);
  expect(stdout).toMatch(/3 scenarios: 2 passed, 1 could not be read/);
  expect(status).toBe(2);
});

test('the time of the whole run', () => {
  const { status, stdout } = run(write(withScript('export default () => { for (;;); };')), '--timeout', '2s');
  expect(stdout).toMatch(/ended: --timeout 2 s is over/);
  expect(status).toBe(1);
});

test('--no-scripts loads none, and runs what needs none', () => {
  const { status, stdout, stderr } = run(write(withScript('process.exit(0);')), '--no-scripts');
  expect(stderr).toMatch(/scripted\/scenario\.yaml needs a script and is not run \(--no-scripts\)/);
  expect(stdout).toMatch(/2 scenarios: 2 passed/);
  expect(status).toBe(0);
});

const golden = (path: string) => `steps: [{ create: ${map}, expect: { golden: ${path} } }]\n`;

test.each<readonly [string, string, (folder: string) => void]>([
  ['beside the folder', '../out.yaml', () => {}],
  [
    'through a link to a file',
    'link.yaml',
    (folder) => symlinkSync(join(folder, 'victim'), join(folder, 's/link.yaml')),
  ],
  ['through a link to nothing', 'link.yaml', (folder) => symlinkSync('../new.yaml', join(folder, 's/link.yaml'))],
  ['through a link to a folder', 'link/x.yaml', (folder) => symlinkSync(folder, join(folder, 's/link'))],
])('a golden file %s is neither written nor read', (_where, path, prepare) => {
  const folder = write({ 's/scenario.yaml': golden(path), victim: 'precious\n' });
  prepare(folder);
  const { status, stdout } = run(join(folder, 's'), '--update');
  expect(stdout).toMatch(/golden .*(?:is not in the folder of|links out of the folder of|cannot be followed)/);
  expect(stdout).not.toContain('precious');
  expect(status).toBe(1);
  expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('precious\n');
  for (const name of ['out.yaml', 'new.yaml', 'x.yaml']) expect(existsSync(join(folder, name))).toBe(false);
});

test('a golden file in a folder of the scenario is written', () => {
  const folder = write({ 's/scenario.yaml': golden('goldens/a.yaml'), 's/goldens/readme': '' });
  expect(run(join(folder, 's'), '--update').status).toBe(0);
  expect(existsSync(join(folder, 's/goldens/a.yaml'))).toBe(true);
});

test('ten configurations are called in 120 orders, and that is said', () => {
  const webhooks = Array.from(
    { length: 10 },
    (_none, at) => `- { name: w${at}.example.com, configuration: c${at}, type: mutating, ${rules} }`,
  );
  const folder = write({ 'scenario.yaml': `webhooks:\n${webhooks.join('\n')}\nmatrix: { order: all }\n${step}` });
  const { status, stdout, stderr } = run(folder);
  expect(stderr).toMatch(/10 mutating configurations have 3628800 orders; 120 of them are tried, always the same/);
  expect(stdout).toMatch(/120 scenarios: 120 passed/);
  expect(status).toBe(0);
});

test('Ctrl-C says what ran', async () => {
  const folder = write(withScript('export default () => { console.error("in it"); for (;;); };'));
  const child = spawn(process.execPath, [main, 'test', folder, '--parallel', '1']);
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  await expect.poll(() => out, { timeout: 30_000 }).toMatch(/fine/);
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect(out).toMatch(/1 passed.*ended: interrupted/s);
  expect(code).toBe(130);
});
