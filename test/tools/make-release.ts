/**
 * Writes what kadmit knows of one minor release of Kubernetes, from what it publishes as Go modules:
 *
 *   npm run release-tables -- --minor 34 [--patch 0] [--out FOLDER] [--check]
 *
 * It downloads k8s.io/{kubernetes,api,apimachinery,apiextensions-apiserver,apiserver,client-go,component-base,kube-aggregator}
 * with Go's own client and writes into FOLDER (a new one, unless it is named) the tables as they are in
 * src/api/release/newest: types.json and resources.json (make-builtin.mjs), columns.json (table-columns.go),
 * feature-gates.json (feature-gates.go), bootstrap-rbac.json and deprecations.json. For an older minor than the current one it then writes
 * src/api/release/older/v1.MINOR.json: what these tables have otherwise than the current ones. With --check it writes nothing
 * there and fails if what is there is not what it made; for the current release this compares the tables themselves. Without it
 * test/tools/release/made.json gets the checksums of the tables and of their generator, which a test compares.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newestMinor } from '../../src/machinery/meta/release-names.ts';
import { applyReleaseDelta } from '../../src/api/release/load-release.ts';
import type { ReleaseTables } from '../../src/api/release/release.ts';
import { newestTables } from '../../src/api/release/newest-tables.ts';
import { readBootstrapRows } from './release/bootstrap-rows.ts';
import { writeChecksums } from './release/checksums.ts';
import { columnsOfResources } from './release/columns.ts';
import { deprecationsOf } from './release/lifecycle.ts';
import { deltaOf, deltaText } from './release/write-delta.ts';

const { values: options } = parseArgs({
  options: {
    minor: { type: 'string' },
    patch: { type: 'string', default: '0' },
    out: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});
if (options.minor === undefined) {
  console.error('usage: npm run release-tables -- --minor 34 [--patch 0] [--out FOLDER] [--check]');
  process.exit(2);
}
const { minor, patch } = options;
const out = options.out ?? mkdtempSync(join(tmpdir(), `kubernetes-1.${minor}-`));
const big = { encoding: 'utf8', maxBuffer: 1 << 28 } as const;
const go = (...args: readonly string[]): string => execFileSync('go', args, big);

const libraries = [
  'api',
  'apimachinery',
  'apiextensions-apiserver',
  'apiserver',
  'client-go',
  'component-base',
  'kube-aggregator',
];
const modules = [`kubernetes@v1.${minor}.${patch}`, ...libraries.map((name) => `${name}@v0.${minor}.${patch}`)];
for (const module of modules) {
  execFileSync('go', ['mod', 'download', `k8s.io/${module}`], {
    ...big,
    env: { ...process.env, GOWORK: 'off', GOFLAGS: '-mod=mod' },
  });
}
const cache = join(go('env', 'GOMODCACHE').trim(), 'k8s.io');
const kubernetes = join(cache, modules[0] ?? '');
const library = (name: string): string => join(cache, `${name}@v0.${minor}.${patch}`);

const write = (name: string, text: string): void => writeFileSync(join(out, name), text);
const readTable = (name: string): never => JSON.parse(readFileSync(join(out, name), 'utf8')) as never;
const lines = (table: object): string =>
  `{\n${Object.entries(table)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}\n`;

const fields = join(mkdtempSync(join(tmpdir(), 'fields-')), 'fields.json');
writeFileSync(fields, go('run', 'test/tools/api-facts.go', '-root', cache, '-version', `v0.${minor}.${patch}`));
execFileSync(
  process.execPath,
  ['test/tools/make-builtin.mjs', '--kubernetes', kubernetes, '--fields', fields, '--out', out],
  { stdio: 'inherit' },
);
const types: ReleaseTables['types'] = readTable('types.json');
const resources: ReleaseTables['resources'] = readTable('resources.json');
const printed = JSON.parse(go('run', 'test/tools/table-columns.go', '-kubernetes', kubernetes));
write('columns.json', lines(columnsOfResources(resources, types.kinds, { printed, minor: Number(minor) })));
write(
  'feature-gates.json',
  go('run', 'test/tools/feature-gates.go', '-cache', cache, '-minor', minor, '-patch', patch),
);
write('bootstrap-rbac.json', rowsText(readBootstrapRows(kubernetes)));
write(
  'deprecations.json',
  lines(deprecationsOf(resources, types.kinds, { api: library('api'), minor: Number(minor) })),
);
console.log(`1.${minor}.${patch}: ${out}`);

if (Number(minor) === newestMinor) {
  for (const name of readdirSync(out))
    hold(join('src/api/release/newest', name), readFileSync(join(out, name), 'utf8'));
} else {
  const tables: ReleaseTables = {
    types,
    resources,
    columns: readTable('columns.json'),
    featureGates: readTable('feature-gates.json'),
    bootstrapRbac: readTable('bootstrap-rbac.json'),
    deprecations: readTable('deprecations.json'),
  };
  const delta = deltaOf(newestTables, tables);
  if (JSON.stringify(applyReleaseDelta(newestTables, delta)) !== JSON.stringify(tables)) {
    throw new Error(`the tables of 1.${minor} do not come out of what was written of them`);
  }
  hold(`src/api/release/older/v1.${minor}.json`, deltaText(delta));
}
if (!options.check) writeChecksums();

/** Writes the text, or says that the file has another one. */
function hold(file: string, text: string): void {
  if (!options.check) {
    writeFileSync(file, text);
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what Kubernetes 1.${minor}.${patch} makes`);
    process.exitCode = 1;
  }
}

function rowsText(lists: object): string {
  const texts = Object.entries(lists).map(
    ([list, rows]) => `${JSON.stringify(list)}: [\n${rows.map((row: unknown) => JSON.stringify(row)).join(',\n')}\n]`,
  );
  return `{\n${texts.join(',\n')}\n}\n`;
}
