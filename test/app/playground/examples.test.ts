import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { createPageFiles } from '../../../src/app/playground/page-scripts.ts';

import { runTexts } from '../../../src/app/playground/run-texts.ts';
import { loadScenario } from '../../../src/testing/scenario/load-scenario.ts';
import { problemText } from '../../../src/testing/scenario/read/problems.ts';
import { prettyOutcome } from '../../../src/testing/scenario/report/pretty.ts';
import { runScenario } from '../../../src/testing/scenario/run.ts';
import { loadScriptText } from '../../../src/testing/stubs/load-script.ts';
import { fromScenario, toScenario } from '../../../src/ui/playground/scenario-file.ts';
import { runOptions } from '../../harness/scenario.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

// What the page shows of each example, without a browser.

const folder = 'docs/playground/examples';
const names = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

const run = async (name: string) => {
  const { texts } = fromScenario(readFileSync(`${folder}/${name}`, 'utf8'), '1.37');
  const result = await runTexts(texts, {
    files: createPageFiles((code) => loadScriptText('script.js', code)),
    isStale: () => false,
    onBug: (error) => {
      throw error;
    },
  });
  if (!result) throw new Error('the run ended early');
  return { texts, ...result };
};

/** What the editor underlines, where an example is about that. */
const underlined: Readonly<Record<string, readonly string[]>> = {
  'match-condition-error.yaml': ['condition-fails'],
  'match-policy.yaml': ['version-bypass'],
  'policy-typo.yaml': ['type-check'],
};

test.each(names)('the playground shows an answer for each step of %s, and no failure', async (name) => {
  const { texts, problems, answers } = await run(name);
  expect(answers.flatMap(({ failures }) => failures)).toEqual([]);
  expect(answers.length).toBe(texts.requests.match(/^- /gm)?.length);
  expect(problems.map(({ code }) => code)).toEqual(underlined[name] ?? []);
});

test('the example of the releases is refused in its own and admitted in the other', async () => {
  const { answers, compared } = await run('releases.yaml');
  expect([answers, compared].map(([answer]) => answer?.code)).toEqual([422, 201]);
});

const copies = temporaryFolder();
const worlds = createWorlds((error) => {
  throw error;
});
afterAll(() => worlds.close());

test.each(names)('what the page copies of %s passes kadmit test', async (name) => {
  const { texts, answers } = await run(name);
  const file = join(copies, name);
  writeFileSync(file, toScenario(texts, answers));
  const loading = await loadScenario(file);
  if (loading.outcome === 'unreadable') throw new Error(loading.problems.map(problemText).join('\n'));
  const outcome = await runScenario(loading.scenario, worlds, runOptions());
  expect(outcome.outcome === 'passed' ? '' : prettyOutcome(outcome)).toBe('');
});
