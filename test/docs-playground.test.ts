import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exampleOf, isPartOf, playgroundHtml } from '../docs/.vitepress/playground-blocks.ts';
import { createWorlds } from '../src/app/in-process/worlds.ts';
import { asObject } from '../src/machinery/json/json.ts';
import { loadScenario } from '../src/testing/scenario/load-scenario.ts';
import { combinationsOf } from '../src/testing/scenario/matrix.ts';
import type { ScenarioOutcome } from '../src/testing/scenario/outcome.ts';
import { problemText } from '../src/testing/scenario/read/problems.ts';
import { prettyOutcome } from '../src/testing/scenario/report/pretty.ts';
import { runAll } from '../src/testing/scenario/run-all.ts';
import { failuresOf } from './harness/scenario.ts';

// The examples of the playground: the page bundles these files, so each stands alone and says what it is about.

const folder = 'docs/playground/examples';
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''));
const textOf = (name: string): string => readFileSync(`${folder}/${name}.yaml`, 'utf8');

const worlds = createWorlds((error) => {
  throw error;
});
afterAll(() => worlds.close());

/** Runs an example; `release` instead of its own. */
async function play(name: string, release?: string): Promise<readonly ScenarioOutcome[]> {
  const file = `${folder}/${name}.yaml`;
  const loading = await loadScenario(file);
  if (loading.outcome === 'unreadable') throw new Error(loading.problems.map(problemText).join('\n'));
  expect(loading.files).toEqual([file]);
  const kubernetesVersion = release === undefined ? {} : { kubernetesVersion: release };
  return runAll(combinationsOf({ ...loading.scenario, ...kubernetesVersion }), worlds, {
    parallel: 1,
    bail: false,
    on: 'kadmit',
    goldens: { read: () => undefined, write: undefined },
    now: () => 0,
    onStart: () => {},
    onOutcome: () => {},
  });
}

test.each(names)('the example %s passes, and reads no other file', async (name) => {
  const failed = (await play(name)).filter(({ outcome }) => outcome !== 'passed');
  expect(failed.map((one) => prettyOutcome(one))).toEqual([]);
});

test.each(names)('the example %s has a title, one or two sentences about it, and what the tabs can hold', (name) => {
  const [title = '', about = ''] = textOf(name).split('\n');
  expect(title).toMatch(/^# title: [A-Za-z].{10,59}[^.]$/);
  expect(about).toMatch(/^# about: [A-Za-z0-9].{40,200}\.$/);
  const { server, ...rest } = asObject(parse(textOf(name)));
  expect(['name', 'load', 'webhooks', 'steps']).toEqual(expect.arrayContaining(Object.keys(rest)));
  expect(['kubernetesVersion', 'authorizationMode']).toEqual(expect.arrayContaining(Object.keys(asObject(server))));
  expect(textOf(name).split('\n').length).toBeLessThan(60);
});

test('index.json lists every example once', () => {
  const index: readonly { topic: string; examples: readonly string[] }[] = JSON.parse(
    readFileSync(`${folder}/index.json`, 'utf8'),
  );
  expect(index.flatMap(({ examples }) => examples).toSorted()).toEqual(names.toSorted());
  expect(index.every(({ topic }) => topic !== '')).toBe(true);
});

test('the second release of the example releases admits the request that its own refuses', async () => {
  const compared = /^# compare with: (.*)$/m.exec(textOf('releases'))?.[1];
  const outcomes = await play('releases', compared);
  expect(outcomes.flatMap(failuresOf)).toEqual([
    'outcome: a refusal was expected, and the request was admitted with 201',
  ]);
});

interface Block {
  readonly page: string;
  readonly name: string;
  readonly text: string;
}

const blocks: readonly Block[] = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((page) => page.endsWith('.md') && !page.includes('node_modules'))
  .flatMap((page) =>
    [...readFileSync(`docs/${page}`, 'utf8').matchAll(/^```(yaml .*)\n([\s\S]*?)^```$/gm)].map(
      ([, info = '', text = '']) => ({
        page,
        name: exampleOf(info) ?? '',
        text,
      }),
    ),
  );

test('at least ten pages have a block of the playground', () => {
  expect(new Set(blocks.map(({ page }) => page)).size).toBeGreaterThanOrEqual(10);
});

test.each(blocks)('the block of $name in docs/$page is YAML, and lines of the example', ({ name, text }) => {
  expect(names).toContain(name);
  expect(isPartOf(text, textOf(name))).toBe(true);
  expect(() => parse(text)).not.toThrow();
});

test.each([
  ['two: 2\n', true],
  ['  two: 2\n  three: 3\n', true],
  ['wo: 2\n', false],
  ['two: 2\none: 1\n', false],
  ['\n', false],
])('%j is a part of an example: %j', (block, expected) => {
  expect(isPartOf(block, 'one: 1\nmore:\n    two: 2\n    three: 3\n')).toBe(expected);
});

test('the site shows the frame, and the block below', () => {
  expect(playgroundHtml('/kadmit/', 'a', '# title: Is "a" < b?\n', '<pre>')).toBe(
    [
      '<div class="playground">',
      '<iframe src="/kadmit/playground/?embed#example=a" title="Playground: Is &quot;a&quot; &lt; b?" loading="lazy"></iframe>',
      '<details><summary>Is &quot;a&quot; &lt; b? (as text)</summary>',
      '<pre>',
      '</details>',
      '</div>',
      '',
    ].join('\n'),
  );
});
