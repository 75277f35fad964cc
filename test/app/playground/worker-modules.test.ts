import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

test('the modules of the worker import no module of Node', () => {
  const { files, packages } = modulesFrom('src/app/playground/worker.ts');
  expect(files.size).toBeGreaterThan(500);
  expect([...packages].filter((name) => name.startsWith('node:')).toSorted()).toEqual([]);
  // Packages that import modules of Node themselves would be among them.
  expect([...packages].toSorted()).toEqual(packagesOfTheWorker);
});

const packagesOfTheWorker = [
  'ajv',
  'antlr4ng',
  'es-module-lexer/minimal',
  'fast-json-patch',
  'jose',
  'protobufjs/minimal.js',
  're2js',
  'sucrase',
  'yaml',
];

interface Modules {
  readonly files: ReadonlySet<string>;
  readonly packages: ReadonlySet<string>;
}

/** All that is loaded, also later; imports of types alone are none. */
function modulesFrom(entry: string): Modules {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const path of file.endsWith('.ts') ? importsOf(file) : []) {
      if (path.startsWith('.')) files.add(normalize(join(dirname(file), path)));
      else packages.add(path);
    }
  }
  return { files, packages };
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  return [
    ...staticImports.filter(({ entries }) => !isOfTypes(entries)).map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
}

const isOfTypes = (entries: readonly { readonly isType: boolean }[]): boolean =>
  entries.length > 0 && entries.every(({ isType }) => isType);
