import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { errorText } from '../../../machinery/error-text.ts';
import { makeFolder } from '../../../machinery/files/make-folder.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { importFiles } from '../../../testing/imports/import-files.ts';
import { writeScenarios } from '../../../testing/imports/write-scenarios.ts';
import type { WrittenScenario } from '../../../testing/imports/write-scenarios.ts';
import type { Parts } from '../command.ts';
import { parseFlags, spelledOut } from '../../../adapters/config/flags/flags.ts';
import { schemaFor } from '../schema-for.ts';
import { exitCodes, usageError } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { structured } from '../terminal/structured.ts';
import { tryScenarios } from '../test/try-scenarios.ts';
import { importFlags, importHelp } from './import-options.ts';
import type { ImportOptions } from './import-options.ts';

/** `kadmit import FILE…`: scenarios of the tests of others; resolves with the exit code, 1 when one of them does not pass. */
export async function importTests(
  args: readonly string[],
  io: Io,
  parts: Pick<Parts, 'createWorlds'>,
): Promise<number> {
  const parsed = parseFlags(importFlags, spelledOut(args, { o: 'output' }));
  if (parsed.outcome === 'help') {
    io.out(importHelp());
    return exitCodes.fine;
  }
  if (parsed.outcome === 'usage') return usageError(io, 'import', parsed.problem);
  const { options, rest } = parsed;
  if (rest.length === 0)
    return usageError(io, 'import', 'of what? kadmit import kyverno-test.yaml --out scenario.yaml');
  if (options.out === '') return usageError(io, 'import', 'where to? add --out scenario.yaml, or a folder');
  try {
    return await writeAndRun(rest, options, { io, parts });
  } catch (error) {
    if (error instanceof ConfigError) return usageError(io, 'import', error.message);
    throw error;
  }
}

async function writeAndRun(
  paths: readonly string[],
  options: ImportOptions,
  { io, parts }: { readonly io: Io; readonly parts: Pick<Parts, 'createWorlds'> },
): Promise<number> {
  const document = writeAll(paths, options);
  const isText = options.output === 'text';
  io.out(
    options.output === 'text'
      ? importText(document)
      : await structured(options.output, JSON.stringify(document, undefined, 2)),
  );
  const files = document.tests.flatMap(({ scenarios }) => scenarios.map(({ file }) => file));
  if (files.length === 0) return exitCodes.failed;
  if (!options.run) return exitCodes.fine;
  const failed = await tryScenarios(files, 'import', { io: isText ? io : { ...io, out: io.error }, parts });
  if (failed > 0) io.error(`kadmit import: ${failed} of ${files.length} do not pass here; each says why`);
  return failed > 0 ? exitCodes.failed : exitCodes.fine;
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

function writeAll(paths: readonly string[], { out, load }: ImportOptions): ImportDocument {
  const isFile = /\.ya?ml$/.test(out);
  const root = isFile ? dirname(out) : out;
  const tests = importFiles(paths, load);
  const written = tests.map(writeScenarios);
  const isOne = written.flat().length === 1;
  if (isFile && !isOne && written.flat().length > 0)
    throw new ConfigError(`--out ${out}: there are ${written.flat().length} scenarios, name a folder for them`);
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
  if (existsSync(main)) throw new ConfigError(`${main} is there already: name another place with --out`);
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
      `${name} (${from}): ${scenarios.length === 0 ? 'nothing could be carried over' : scenarios.map(({ file, steps }) => `${file}, ${steps} ${steps === 1 ? 'step' : 'steps'}`).join('; ')}`,
      ...notes.map((note) => `  ${note}`),
    ])
    .join('\n');
}
