import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// Many scenarios are run by several threads, which only the built program has.

const folder = temporaryFolder();

const map = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }';
const names = Array.from({ length: 80 }, (_none, index) => `s${String(index).padStart(2, '0')}`);
for (const name of names) {
  mkdirSync(join(folder, name));
  const expectation = name === 's40' ? ', expect: refused' : '';
  const text = name === 's41' ? 'steps: 5' : `steps: [{ create: ${map}${expectation} }]`;
  writeFileSync(join(folder, name, 'scenario.yaml'), text);
}

interface Report {
  readonly totals: object;
  readonly scenarios: readonly {
    readonly name: string;
    readonly steps: readonly { readonly explanation?: string }[];
  }[];
}

function kadmitTest(...flags: readonly string[]): { readonly exitCode: number | null; readonly report: Report } {
  const args = [
    process.env['KADMIT_MAIN'] ?? 'dist/main.js',
    'test',
    folder,
    '--parallel',
    '2',
    '--report',
    'json',
    ...flags,
  ];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const report: Report = JSON.parse(stdout);
  return { exitCode: status, report };
}

test('the threads together run every scenario, and report them in order', () => {
  const { exitCode, report } = kadmitTest();
  expect(exitCode).toBe(2);
  expect(report.totals).toMatchObject({ scenarios: 79, passed: 78, failed: 1, unreadable: 1, notRun: 0 });
  expect(report.scenarios.map(({ name }) => name)).toEqual(names.filter((name) => name !== 's41'));
  expect(report.scenarios[40]?.steps[0]?.explanation).toContain('ADMITTED');
});

test('--bail stops all threads', () => {
  const { exitCode, report } = kadmitTest('--bail');
  expect(exitCode).toBe(2);
  expect(report.totals).not.toMatchObject({ notRun: 0 });
});

test('one thread has the same result', () => {
  const strip = ({ scenarios }: Report): unknown => scenarios.map(({ name, steps }) => ({ name, steps: steps.length }));
  expect(strip(kadmitTest('--parallel', '1').report)).toEqual(strip(kadmitTest().report));
});
