import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// A release: the version is set in a copy of the repository, and what its workflow runs is run as a shell would.

interface Step {
  readonly name?: string;
  readonly run?: string;
}

interface Job {
  readonly needs?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly Step[];
}

const workflow: { readonly permissions: object; readonly jobs: Readonly<Record<'test' | 'package' | 'image', Job>> } =
  parse(readFileSync('.github/workflows/release.yml', 'utf8'));
const { jobs } = workflow;
const manifest: { readonly version: string; readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

const root = temporaryFolder();

test('npm version sets the version everywhere, commits and tags', () => {
  const copied = ['package.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'docs', 'scenarios', 'test/tools'];
  for (const path of copied) {
    const filter = (file: string): boolean => !/node_modules|\.vitepress|images/.test(file);
    cpSync(path, join(root, path), { recursive: true, filter });
  }
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  const identity = { GIT_AUTHOR_NAME: 'n', GIT_AUTHOR_EMAIL: 'e@example.com' };
  const committer = { GIT_COMMITTER_NAME: 'n', GIT_COMMITTER_EMAIL: 'e@example.com' };
  execFileSync('npm', ['version', '9.8.7'], { cwd: root, env: { ...process.env, ...identity, ...committer } });

  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s %D')).toMatch(/^9\.8\.7 .*tag: v9\.8\.7/);
  expect(
    [read('package.json'), read('package-lock.json')].map((text) => text.split('"version": "9.8.7"').length),
  ).toEqual([2, 3]);
  expect(read('CHANGELOG.md')).toMatch(/^# Changelog\n\n## 9\.8\.7 \(\d{4}-\d\d-\d\d\)$/m);
  expect(read('docs/guides/install.md')).toContain('`npm install --global kadmit-9.8.7.tgz`');
  expect(read('scenarios/getting-started/README.md')).toContain('kadmit@9.8.7 start\n');
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  const old = new RegExp(`kadmit[ @-]${manifest.version.replaceAll('.', '\\.')}`);
  expect(pages.filter((page) => old.test(read(page)))).toEqual([]);
  // The crate of an example has a version of its own.
  expect(read('docs/guides/your-webhook.md')).toContain('version = "0.1.0"');
});

test('the workflow tests, then packs and publishes with provenance, then builds the image', () => {
  expect(jobs.test.strategy?.matrix.node).toEqual([20, 22, 24]);
  expect([jobs.package.needs, jobs.image.needs]).toEqual(['test', 'package']);
  expect(workflow.permissions).toEqual({ contents: 'read' });
  expect(jobs.package.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
  const commands = jobs.package.steps.flatMap(({ run = [] }) => run);
  expect(commands.filter((run) => run.startsWith('npm publish'))).toEqual([
    'npm publish ./kadmit-*.tgz --provenance --access public',
  ]);
});

test('every script that the workflow runs is in package.json', () => {
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
  const scripts = runs.flatMap((run) => [...run.matchAll(/npm run (?:--silent )?(\S+)/g)].map(([, name = '']) => name));
  expect(scripts).toEqual(['check', 'sbom']);
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
});

test('the workflow ends when the tag is not the version', () => {
  const step = jobs.package.steps.find(({ name }) => name === 'Compare the tag with the version');
  const status = (tag: string): number | null =>
    spawnSync('bash', ['-e', '-c', step?.run ?? ''], { env: { ...process.env, GITHUB_REF_NAME: tag } }).status;
  expect([`v${manifest.version}`, 'v9.8.7'].map(status)).toEqual([0, 1]);
});

interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string; readonly name: string } };
  readonly components: readonly { readonly name: string; readonly hashes: readonly object[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

test('the SBOM has every package of the bundle with its hash, and none of the tools', () => {
  const step = jobs.package.steps.find(({ name }) => name === 'Write the SBOM');
  const [command = '', file = ''] = step?.run?.split(' > ') ?? [];
  expect(file).toBe('kadmit.cdx.json');
  const dist = join(root, 'dist');
  execFileSync(process.execPath, ['test/tools/build.mjs', dist, '--package']);
  const sbom: Sbom = JSON.parse(execFileSync('bash', ['-c', `${command} -- ${dist}`], { encoding: 'utf8' }));
  expect(sbom.metadata.component).toMatchObject({ 'bom-ref': `kadmit@${manifest.version}`, name: 'kadmit' });
  const licensed = readFileSync(join(dist, 'LICENSES'), 'utf8').matchAll(/^(\S+) \d+\.\d+\.\d\S* \(.+\)$/gm);
  const names = sbom.components.map(({ name }) => name);
  expect(new Set(names)).toEqual(new Set([...licensed].map(([, name]) => name)));
  expect(names).toEqual(expect.arrayContaining(['fastify', 'undici', 'sucrase', 'preact', '@kubernetes/client-node']));
  expect(names.filter((name) => ['vitest', 'rolldown', 'typescript', 'classic-level'].includes(name))).toEqual([]);
  expect(sbom.components.filter(({ hashes }) => hashes.length === 0)).toEqual([]);
  const kept = new Set(sbom.dependencies.map(({ ref }) => ref));
  expect(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !kept.has(ref))).toEqual([]);
});
