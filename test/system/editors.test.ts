import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Command } from '../../src/app/cli/command.ts';
import { lintCommand } from '../../src/app/cli/lint/lint.ts';
import { testCommand } from '../../src/app/cli/test/test.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { commandContext } from '../harness/command-context.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// The patterns of docs/reference/editors.md, with what `kadmit lint` and `kadmit test` print.
const page = readFileSync('docs/reference/editors.md', 'utf8');
const folder = temporaryFolder();

/** What a command prints on both streams, and its document. */
async function run(
  command: Command,
  args: readonly string[],
): Promise<readonly [lines: readonly string[], document: JsonObject]> {
  const lines: string[] = [];
  const documents: string[] = [];
  const io = { out: (text: string) => void lines.push(text), error: (text: string) => void lines.push(text) };
  await command.run(args, io, commandContext);
  await command.run(
    [...args, '-o', 'json'],
    { out: (text) => void documents.push(text), error: () => {} },
    commandContext,
  );
  return [lines.join('\n').split('\n'), JSON.parse(documents.join('\n')) as JsonObject];
}

type Place = readonly [file: string, line: number, column: number];
const placeOf = ({ file, line, column }: JsonObject): Place => [asString(file), Number(line), Number(column)];
const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] => asList(value).map(asObject);

/** Lines of `kadmit lint` and `kadmit test`, and the places that they name. */
const printed: { lint?: readonly string[]; test?: readonly string[] } = {};
const places: { lint: readonly Place[]; test: readonly Place[] } = { lint: [], test: [] };

beforeAll(async () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'a', image: 'a' }] },
  };
  const scenarios = {
    failing: { steps: [{ name: 'a step', create: pod, expect: { deniedBy: 'x' } }] },
    unreadable: { steps: [], step: [] },
    broken: { load: [{ ...pod, spec: {} }], steps: [{ name: 'a', create: pod }] },
    passing: { steps: [{ name: 'a', create: pod }] },
  };
  for (const [name, scenario] of Object.entries(scenarios))
    writeFileSync(join(folder, `${name}.kadmit.yaml`), JSON.stringify(scenario, null, 1));
  const [lint, found] = await run(lintCommand, ['scenarios/lint/guards-itself']);
  const [tested, report] = await run(testCommand, [folder, '--parallel', '1']);
  printed.lint = lint;
  printed.test = tested;
  places.lint = objectsIn(found['findings']).map(placeOf);
  const failures = objectsIn(report['scenarios']).flatMap(({ problem, steps }) => [
    ...objectsIn(steps).flatMap((step) => objectsIn(step['failures'])),
    ...(problem === undefined ? [] : [asObject(problem)]),
  ]);
  places.test = [...objectsIn(report['unreadable']).flatMap((one) => objectsIn(one['problems'])), ...failures].map(
    placeOf,
  );
});

const [, tasks = ''] = /```json\n(?<json>.*?)```/s.exec(page) ?? [];
const matchers = objectsIn(asObject(JSON.parse(tasks))['tasks']).map(({ label, problemMatcher }) => {
  const { regexp, ...groups } = asObject(asObject(problemMatcher)['pattern']);
  return { command: asString(label).replace('kadmit ', ''), regexp: new RegExp(asString(regexp)), groups };
});

/** A regular expression for a pattern of errorformat: `%f`, `%l`, `%c`, `%m` are named groups. See `:help errorformat`. */
const fromErrorFormat = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replaceAll('%\\s%#', '\\s*')
      .replaceAll('%*[a-z]', '[a-z]+')
      .replaceAll('%t', '[ewn]')
      .replaceAll('%f', '(?<file>\\S.*?)')
      .replaceAll('%l', '(?<line>\\d+)')
      .replaceAll('%c', '(?<column>\\d+)')
      .replaceAll('%m', '(?<message>.+)')}$`,
  );

const sorted = (all: readonly Place[]): readonly string[] =>
  all.map((place) => place.join(':')).toSorted((a, b) => a.localeCompare(b));

test.each(matchers)('VS Code: the matcher of kadmit $command finds each place', ({ command, regexp, groups }) => {
  const name = command === 'lint' ? 'lint' : 'test';
  const found = (printed[name] ?? []).flatMap((line) => {
    const match = regexp.exec(line);
    const group = (field: string): string => match?.[Number(groups[field])] ?? '';
    if (match === null) return [];
    expect(group('message')).not.toBe('');
    return [[group('file'), Number(group('line')), Number(group('column'))] as const];
  });
  expect(found.length).toBeGreaterThan(0);
  expect(sorted(found)).toEqual(sorted(places[name]));
});

test.each(['lint', 'test'] as const)('Vim: errorformat finds each place of kadmit %s', (name) => {
  const [, format = ''] = /errorformat = '(?<format>[^']*)'/.exec(page) ?? [];
  const patterns = format.split(',').map(fromErrorFormat);
  const found = (printed[name] ?? []).flatMap((line) => {
    const match = patterns.map((pattern) => pattern.exec(line)).find((one) => one !== null);
    const { file = '', line: at, column } = match?.groups ?? {};
    return file === '' ? [] : [[file, Number(at), Number(column)] as const];
  });
  // A step that failed has a line of its own.
  expect(sorted(found)).toEqual(expect.arrayContaining([...sorted(places[name])]));
  expect(places[name].length).toBeGreaterThan(1);
});
