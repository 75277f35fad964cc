import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { builtinNames } from '../src/apiserver/admission/plugins/builtin-plugins.ts';
import { admissionPlugins } from '../src/apiserver/admission/plugins/plugin-order.ts';
import { commandNames, loadCommands } from '../src/app/cli/run.ts';
import { flagTypes } from '../src/adapters/config/upstream/flag-values.ts';
import type { FinishedRequest } from '../src/apiserver/request/handle.ts';
import { createTestWorld } from './harness/world.ts';
import { knownGaps } from './known-gaps.ts';
import { llmsText, resolveLink, sidebarOf, slugify } from '../docs/.vitepress/links.ts';
import { makeCommandGroups, makeDocumentTable } from './tools/make-command-tables.ts';
import { makeFidelity } from './tools/make-fidelity.ts';

// What the pages claim is compared with the code.

const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...markdownIn('docs'),
  ...markdownIn('scenarios'),
];
const read = (path: string): string => readFileSync(path, 'utf8');

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
}

function markdownIn(folder: string): readonly string[] {
  return filesIn(folder).filter((file) => file.endsWith('.md') && !file.includes('node_modules'));
}

/** All first groups of a pattern's matches. */
const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

test('the table of docs/reference/fidelity.md is generated from test/known-gaps.ts', async () => {
  const page = makeFidelity(read('docs/reference/fidelity.md'), knownGaps);
  await expect(page).toMatchFileSnapshot(join(process.cwd(), 'docs/reference/fidelity.md'));
});

test('every admission plugin that the flags know is there', () => {
  const absent = admissionPlugins.inOrder.filter((name) => !builtinNames.has(name));
  expect(absent).toEqual([
    'MutatingAdmissionPolicy',
    'MutatingAdmissionWebhook',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionWebhook',
  ]);
});

test('no flag is a known gap', () => {
  expect(knownGaps.flatMap(({ gap }) => found(gap, /--([a-z-]+)/g))).toEqual([]);
});

test('every rule that the code or a test names has its sentence in docs/internals/rules', () => {
  const sources = [...filesIn('src'), ...filesIn('test')].filter((file) => /\.(ts|mjs)$/.test(file));
  const families = found(read('docs/internals/rules/README.md'), /\| ([A-Z][A-Z, ]+):/g).flatMap((names) =>
    names.split(', '),
  );
  const cited = new RegExp(`\\b((?:${families.join('|')})-\\d+)\\b`, 'g');
  const named = new Set(sources.flatMap((file) => found(read(file), cited)));
  const written = found(filesIn('docs/internals/rules').map(read).join('\n'), /^- \*\*([A-Z]+-\d+)\*\*/gm);
  expect(named.size).toBeGreaterThan(250);
  expect([...named].filter((rule) => !written.includes(rule))).toEqual([]);
  expect(written.filter((rule, index) => written.indexOf(rule) < index)).toEqual([]);
});

test.each(pages)('the links of %s have targets', (page) => {
  const targets = found(read(page), /\]\(([^)#]+)(?:#[^)]*)?\)/g).filter((target) => !/^https?:/.test(target));
  const missing = targets.filter((target) => !existsSync(normalize(join(dirname(page), target))));
  expect(missing).toEqual([]);
});

test.each(pages)(
  'the anchors that %s links to exist, with one spelling on the repository page and the site',
  (page) => {
    const missing = found(read(page), /\]\((?!https?:)([^)]*#[^)]+)\)/g).filter((target) => {
      const [path = '', anchor = ''] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      return !headingsOf(read(file)).map(slugify).includes(anchor);
    });
    expect(missing).toEqual([]);
  },
);

/** The headings of a page as text; those in code blocks are none. */
const headingsOf = (text: string): readonly string[] =>
  found(text.replaceAll(/^```.*?^```$/gms, ''), /^#+ (.*)$/gm).map((heading) =>
    heading.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1').replaceAll('`', ''),
  );

test('the site lists every guide, command and reference page once, and none of its links is dead', () => {
  const groups = sidebarOf(process.cwd());
  const links = groups.flatMap(({ items }) => items.map(({ link }) => link.split('#')[0]));
  const listed = markdownIn('docs').filter((file) => /^docs\/(guides|reference)\//.test(file));
  expect(groups.map(({ text }) => text)).toEqual(['Guides', 'Commands', 'Reference', 'Internals']);
  expect(listed.filter((file) => !links.includes(`/${file.replace(/md$/, 'html')}`))).toEqual([]);
});

test('llms.txt lists every page of the site', () => {
  const links = sidebarOf(process.cwd()).flatMap(({ items }) => items.map(({ link }) => link));
  expect(links.length).toBeGreaterThan(60);
  expect(links.filter((link) => !llmsText(process.cwd()).includes(`(${link})`))).toEqual([]);
});

const siteLinks: readonly (readonly [page: string, target: string, expected: object | undefined])[] = [
  ['docs/README.md', '../README.md', { page: 'README.md' }],
  ['docs/guides/go.md', '../reference/dev.md', { page: 'docs/reference/dev.md' }],
  ['README.md', 'LICENSE', { file: 'LICENSE' }],
  ['docs/reference/lint.md', '../../scenarios/lint', { page: 'scenarios/README.md' }],
  ['docs/internals/architecture.md', '../../src/explain', undefined],
];

test.each(siteLinks)('on the site, the link of %s to %s becomes %j', (page, target, expected) => {
  expect(resolveLink(process.cwd(), page, target)).toEqual(expected);
});

test('a dead link fails the build of the site', () => {
  expect(() => resolveLink(process.cwd(), 'docs/README.md', 'guides/absent.md')).toThrow('dead link');
});

/** Those of kubectl that examples use and no command of ours has. */
const kubectlFlags: ReadonlySet<string> = new Set(['output-watch-events', 'show-managed-fields']);

const commands = await loadCommands();

test.each(pages)('the flags in %s exist', (page) => {
  const known = commands.flatMap(({ flags }) => flags.map(({ name }) => name));
  const flags = found(read(page), /`--([a-z][a-z-]+)[ `=]/g).filter((name) => name !== 'help');
  expect(flags.filter((name) => !known.includes(name) && !flagTypes.has(name) && !kubectlFlags.has(name))).toEqual([]);
});

test('the drawing in docs/internals/architecture.md has the stages that writes pass, in their order', async () => {
  const world = await createTestWorld();
  const configMaps = '/api/v1/namespaces/default/configmaps';
  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  await world.send('POST', configMaps, configMap);
  await world.send('PUT', `${configMaps}/a`, { ...configMap, data: { a: '1' } });
  await world.send('PATCH', `${configMaps}/a`, { data: { a: '2' } }, { contentType: 'application/merge-patch+json' });
  await world.send('DELETE', `${configMaps}/a`);
  expect(world.finished.map(stagesOf)).toEqual(drawnStages(read('docs/internals/architecture.md')));
});

const wrappers = ['resolve-target', 'create-object', 'update-object'];

const stagesOf = ({ journal }: FinishedRequest): readonly string[] =>
  journal.stages().names.filter((name) => !wrappers.includes(name));

/** The stages in each column of the drawing. */
function drawnStages(page: string): readonly (readonly string[])[] {
  const lines = page.split('\n');
  const header = lines.findIndex((line) => line.includes('CREATE '));
  const drawn = lines.slice(header + 1, lines.indexOf('   │', header));
  const starts = ['CREATE', 'UPDATE', 'PATCH', 'DELETE'].map((verb) => (lines[header] ?? '').indexOf(verb));
  return starts.map((start, column) => {
    const cells = drawn.map((line) => line.slice(start, starts[column + 1]));
    return cells.flatMap((cell) => /^([a-z]+(?:-[a-z]+)+|persist)\b/.exec(cell)?.[1] ?? []);
  });
}

test('docs/internals/architecture.md lists the folders of src', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const table = read('docs/internals/architecture.md').split('## Folders')[1] ?? '';
  expect(found(table, /`([\w-]+)\/`/g).toSorted()).toEqual(
    expect.arrayContaining(rooms.map(({ name }) => name).toSorted()),
  );
});

test('docs/reference/trace-format.md has every field of the trace and every reason to skip', () => {
  const page = read('docs/reference/trace-format.md');
  const fields = found(read('src/explain/trace/trace.ts'), /readonly (\w+)\??:/g);
  const reasons = found(
    read('src/apiserver/admission/chain/skip-reason.ts').split('SkipReason =')[1] ?? '',
    /because: '([\w-]+)'/g,
  );
  expect(fields.length * reasons.length).toBeGreaterThan(100);
  expect([...fields, ...reasons].filter((name) => !page.includes(name))).toEqual([]);
});

test('the first scenario in the README is the one in scenarios/', () => {
  expect(read('README.md')).toContain(`\`\`\`yaml\n${read('scenarios/first-scenario/scenario.yaml')}\`\`\``);
});

test('scenarios/README.md lists every scenario with its name', async () => {
  const page = scenarioIndex(read('scenarios/README.md'));
  await expect(page).toMatchFileSnapshot(join(process.cwd(), 'scenarios/README.md'));
});

/** The page with its table made anew: a row for each scenario.yaml, by its folder. */
function scenarioIndex(page: string): string {
  const [head = '', , tail = ''] = page.split(/<!-- (?:table|end) -->/);
  const rows = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('scenario.yaml'))
    .toSorted()
    .map(
      (file) => `| [${dirname(file)}](${file}) | ${/^name: (.*)$/m.exec(read(join('scenarios', file)))?.[1] ?? ''} |`,
    );
  const table = ['| Folder | What it shows |', '| --- | --- |', ...rows].join('\n');
  return `${head}<!-- table -->\n\n${table}\n\n<!-- end -->${tail}`;
}

test.each(commands)(
  'kadmit $name --help has every flag, at most 80 columns, and the layout of all commands',
  ({ name, help, purpose, flags: ownFlags }) => {
    expect(ownFlags.filter((flag) => !help.includes(`--${flag.name}`)).map((flag) => flag.name)).toEqual([]);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const flags = `(?:(?:Flags(?: of [a-z]+)?|[A-Z][A-Za-z ]+ flags):\\n(?: .+\\n)+\\n)*`;
    const layout = `^[A-Z].*\\.\\n\\nUsage:\\n(?:  +kadmit ${name}.*\\n(?:      .*\\n)*)+\\n(?:(?!Flags|.* flags:|Examples).+\\n|\\n)*?${flags}Examples:\\n(?:  kadmit ${name}.*(?:\\n|$)){2}$`;
    expect(help).toMatch(new RegExp(layout));
    expect(commandNames).toContain(name);
    expect(purpose).toMatch(/^[a-z]/);
  },
);

test.each([
  ['docs/README.md', makeCommandGroups],
  ['docs/reference/json-output.md', makeDocumentTable],
])('the tables of commands in %s are generated from src/app/cli (-u)', async (page, make) => {
  await expect(make(read(page), commands)).toMatchFileSnapshot(join(process.cwd(), page));
  // A command without JSON says why: `none: a script for the shell`.
  expect(read(page)).not.toContain('| none |');
});

test('.ci/run and the README name the test command', () => {
  expect(read('README.md')).toContain('npm ci && npm test');
  expect(read('.ci/run')).toContain('npm ci && npm test');
});
