import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { outputFlag, repeatedFlag, switchFlag, textFlag } from '../../../adapters/config/flags/common-flags.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import { importFiles } from '../../../testing/imports/import-files.ts';
import { writeScenarios, type WrittenScenario } from '../../../testing/imports/write-scenarios.ts';
import { defineCommand, type CommandContext } from '../command.ts';
import { schemaFor } from '../package-file.ts';
import { exitCodes, printDocument } from '../terminal/io.ts';
import { tryScenarios } from '../test/try-scenarios.ts';

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
    const document = writeAll(args, out, load);
    await printDocument(io, output, document, () => importText(document));
    const files = document.tests.flatMap(({ scenarios }) => scenarios.map(({ file }) => file));
    if (files.length === 0) return exitCodes.failed;
    if (!run) return exitCodes.fine;
    const failed = await tryScenarios(files, 'import', {
      io: output === 'text' ? io : { ...io, out: io.error },
      parts,
    });
    if (failed > 0) io.error(`kadmit import: ${failed} of ${files.length} scenarios do not pass`);
    return failed > 0 ? exitCodes.failed : exitCodes.fine;
  },
});

interface ImportDocument {
  readonly importVersion: 1;
  readonly tests: readonly {
    readonly name: string;
    readonly from: string;
    readonly scenarios: readonly { readonly file: string; readonly steps: number }[];
    readonly notes: readonly string[];
  }[];
}

function writeAll(paths: readonly string[], out: string, load: readonly string[]): ImportDocument {
  const isFile = /\.ya?ml$/.test(out);
  const root = isFile ? dirname(out) : out;
  const tests = importFiles(paths, load);
  const written = tests.map(writeScenarios);
  const isOne = written.flat().length === 1;
  if (isFile && !isOne && written.flat().length > 0)
    throw new ConfigError(`--out ${out}: ${written.flat().length} scenarios need a folder`);
  const taken = new Set<string>();
  return {
    importVersion: 1,
    tests: tests.map(({ name, from, notes }, at) => ({
      name,
      from: relative('', from) || '.',
      notes,
      scenarios: (written[at] ?? []).map((scenario) => {
        const folder = isOne ? root : join(root, free(scenario.name, taken));
        return {
          file: save(folder, isOne && isFile ? out : join(folder, 'scenario.yaml'), scenario),
          steps: scenario.steps,
        };
      }),
    })),
  };
}

/** The name, or with a number when it is taken. */
function free(name: string, taken: Set<string>): string {
  let chosen = name;
  for (let number = 2; taken.has(chosen); number += 1) chosen = `${name}-${number}`;
  taken.add(chosen);
  return chosen;
}

function save(folder: string, main: string, { files }: WrittenScenario): string {
  if (existsSync(main)) throw new ConfigError(`${main} exists already: choose another --out`);
  try {
    makeFolder(folder, 0o777);
    for (const [path, text] of files) {
      if (path !== 'scenario.yaml') writeFileSync(join(folder, path), text);
      else writeFileSync(main, `# yaml-language-server: $schema=${schemaFor(resolve(folder))}\n${text}`);
    }
  } catch (error) {
    throw new ConfigError(`${folder} cannot be written: ${errorText(error)}`);
  }
  return main;
}

function importText({ tests }: ImportDocument): string {
  return tests
    .flatMap(({ name, from, scenarios, notes }) => [
      `${name} (${from}): ${scenarios.length === 0 ? 'nothing could be converted' : scenarios.map(({ file, steps }) => `${file}, ${steps} ${steps === 1 ? 'step' : 'steps'}`).join('; ')}`,
      ...notes.map((note) => `  ${note}`),
    ])
    .join('\n');
}
