import { existsSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { outputFlag, repeatedFlag, switchFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import { makeFolder } from '../../../adapters/files/portable-files.ts';
import { importFiles } from '../../../testing/imports/import-files.ts';
import { type ImportedCase, type ImportedTest, withoutOmittedFields } from '../../../testing/imports/imported-test.ts';
import { writeScenarios, type WrittenScenario } from '../../../testing/imports/write-scenarios.ts';
import type { ScenarioOutcome } from '../../../testing/scenario/outcome.ts';
import { defineCommand } from '../command.ts';
import { type CommandContext } from '../command-context.ts';
import { schemaFor } from '../package-file.ts';
import { exitCodes, type Io, printDocument } from '../terminal/io.ts';
import { outcomeText, type TriedScenarios, tryScenarios } from '../with-worlds.ts';
import { tryWrite } from '../../../adapters/config/read-files.ts';
import { countText } from '../../../machinery/lists.ts';

/** `kadmit import FILE…`: scenarios from the tests of other tools; exit code 1 when one of them does not pass. */
export const importCommand = defineCommand({
  name: 'import',
  group: 'Test',
  synopsis: ['FILE|FOLDER... --out scenario.yaml|FOLDER'],
  purpose: 'convert tests of Kyverno, gator, kat and chainsaw into scenarios',
  details: [
    'Reads kyverno-test.yaml (policies that the API server evaluates), suites of gator (templates in CEL), folders of kat, ' +
      'tests of chainsaw (steps that need only an API server) and AdmissionReviews. Lists what it leaves out.',
    'Exit codes: 0 written and passed, 1 a scenario fails or nothing could be converted, 2 a file cannot be read.',
  ],
  flags: {
    out: textFlag('out', 'PATH', 'scenario.yaml, or a folder; several scenarios get a folder each'),
    load: repeatedFlag('load', 'PATH', 'definitions and configurations that each scenario loads'),
    run: { ...switchFlag('run', 'run what was written; --run=false skips that'), fallback: true },
    output: outputFlag,
  },
  positionals: { name: 'FILE', min: 1, complete: [{ type: 'files' }] },
  examples: ['import policies/tests --out scenarios/imported', 'import kyverno-test.yaml --out scenario.yaml'],
  run: async ({ args, options }, io, parts: Pick<CommandContext, 'createWorlds'>) => {
    const { out, load, run, output } = options;
    if (out === '') throw new ConfigError('--out is required: scenario.yaml, or a folder');
    const tests = importFiles(args, load);
    const folder = outputFolder(out, tests);
    const written = tests.map((test) => writeTest(test, folder));
    const {
      tests: final,
      outcomes,
      failed,
    } = run ? await tryTests(written, folder, { io, parts }) : withoutRun(written);
    const document = toDocument(final);
    await printDocument(io, output, document, () => importText(document));
    for (const outcome of outcomes) (output === 'text' ? io.out : io.error)(outcomeText(outcome));
    const count = final.flatMap(({ scenarios }) => scenarios).length;
    if (failed > 0) io.error(`kadmit import: ${failed} of ${count} scenarios do not pass`);
    return count === 0 || failed > 0 ? exitCodes.failed : exitCodes.fine;
  },
});

interface WrittenTest {
  readonly test: ImportedTest;
  readonly scenarios: readonly { readonly file: string; readonly cases: readonly ImportedCase[] }[];
}

interface TestedImport extends TriedScenarios {
  readonly tests: readonly WrittenTest[];
}

const withoutRun = (tests: readonly WrittenTest[]): TestedImport => ({ tests, outcomes: [], failed: 0 });

const listFiles = (tests: readonly WrittenTest[]): readonly string[] =>
  tests.flatMap(({ scenarios }) => scenarios.map(({ file }) => file));

/** Runs all scenarios. A test with cases that no server can decide like its tool is written and run again without them. */
async function tryTests(
  tests: readonly WrittenTest[],
  folder: OutputFolder,
  { io, parts }: { readonly io: Pick<Io, 'error'>; readonly parts: Pick<CommandContext, 'createWorlds'> },
): Promise<TestedImport> {
  const first = await tryScenarios(listFiles(tests), 'import', { io, parts });
  const failed = failedCases(tests, first.outcomes);
  const final = tests.map((written) => {
    const test = withoutOmittedFields(written.test, failed);
    if (test === written.test) return written;
    removeTest(written, folder);
    return writeTest(test, folder);
  });
  const changed = final.filter((written) => !tests.includes(written));
  if (changed.length === 0) return { tests, ...first };
  const again = await tryScenarios(listFiles(changed), 'import', { io, parts });
  const kept = new Set(listFiles(final.filter((written) => tests.includes(written))));
  const outcomes = [...first.outcomes.filter(({ scenario }) => kept.has(scenario.file)), ...again.outcomes];
  return { tests: final, outcomes, failed: listFiles(final).length - countPassed(outcomes) };
}

const countPassed = (outcomes: readonly ScenarioOutcome[]): number =>
  outcomes.filter(({ outcome }) => outcome === 'passed').length;

function failedCases(tests: readonly WrittenTest[], outcomes: readonly ScenarioOutcome[]): ReadonlySet<ImportedCase> {
  const steps = new Map(outcomes.map((outcome) => [outcome.scenario.file, outcome.steps]));
  const failed = tests
    .flatMap(({ scenarios }) => scenarios)
    .flatMap(({ file, cases }) => {
      const ofSteps = cases.flatMap((one) => one.steps.map(() => one));
      return ofSteps.filter((_, at) => steps.get(file)?.[at]?.outcome === 'failed');
    });
  return new Set(failed);
}

interface ImportDocument {
  readonly importVersion: 1;
  readonly tests: readonly {
    readonly name: string;
    readonly from: string;
    readonly scenarios: readonly { readonly file: string; readonly steps: number }[];
    readonly notes: readonly string[];
  }[];
}

const toDocument = (tests: readonly WrittenTest[]): ImportDocument => ({
  importVersion: 1,
  tests: tests.map(({ test: { name, from, notes }, scenarios }) => ({
    name,
    from: relative('', from) || '.',
    notes,
    scenarios: scenarios.map(({ file, cases }) => ({ file, steps: cases.flatMap(({ steps }) => steps).length })),
  })),
});

interface OutputFolder {
  readonly root: string;
  /** The file of the only scenario; undefined: each scenario gets a folder. */
  readonly main: string | undefined;
  readonly taken: Set<string>;
}

function outputFolder(out: string, tests: readonly ImportedTest[]): OutputFolder {
  const isFile = /\.ya?ml$/.test(out);
  const root = isFile ? dirname(out) : out;
  const count = tests.flatMap(writeScenarios).length;
  if (isFile && count > 1) throw new ConfigError(`--out ${out}: ${count} scenarios need a folder`);
  const main = isFile ? out : join(out, 'scenario.yaml');
  return { root, main: count === 1 ? main : undefined, taken: new Set() };
}

const writeTest = (test: ImportedTest, { root, main, taken }: OutputFolder): WrittenTest => ({
  test,
  scenarios: writeScenarios(test).map((scenario) => {
    const folder = main === undefined ? join(root, uniqueName(scenario.name, taken)) : root;
    return { file: saveScenario(folder, main ?? join(folder, 'scenario.yaml'), scenario), cases: scenario.cases };
  }),
});

function removeTest({ test, scenarios }: WrittenTest, { main, taken }: OutputFolder): void {
  const written = writeScenarios(test);
  for (const [at, { file }] of scenarios.entries()) {
    const folder = dirname(file);
    for (const path of written[at]?.files.keys() ?? [])
      rmSync(path === 'scenario.yaml' ? file : join(folder, path), { force: true });
    if (main !== undefined || readdirSync(folder).length > 0) continue;
    rmdirSync(folder);
    taken.delete(basename(folder));
  }
}

/** The name, or with a number when it is taken. */
function uniqueName(name: string, taken: Set<string>): string {
  let chosen = name;
  for (let number = 2; taken.has(chosen); number += 1) chosen = `${name}-${number}`;
  taken.add(chosen);
  return chosen;
}

function saveScenario(folder: string, main: string, { files }: WrittenScenario): string {
  if (existsSync(main)) throw new ConfigError(`${main} exists already: choose another --out`);
  tryWrite(folder, () => {
    makeFolder(folder, 0o777);
    for (const [path, text] of files) {
      if (path !== 'scenario.yaml') writeFileSync(join(folder, path), text);
      else writeFileSync(main, `# yaml-language-server: $schema=${schemaFor(resolve(folder))}\n${text}`);
    }
  });
  return main;
}

function importText({ tests }: ImportDocument): string {
  return tests
    .flatMap(({ name, from, scenarios, notes }) => [
      `${name} (${from}): ${scenarios.length === 0 ? 'nothing could be converted' : scenarios.map(({ file, steps }) => `${file}, ${countText(steps, 'step')}`).join('; ')}`,
      ...notes.map((note) => `  ${note}`),
    ])
    .join('\n');
}
