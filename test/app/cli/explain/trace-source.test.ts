import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainCommand } from '../../../../src/app/cli/explain/explain.ts';
import { traceFileName } from '../../../../src/adapters/traces/trace-files.ts';
import { tracesOf } from '../../../harness/trace-requests.ts';
import { sarifProblems } from '../../../harness/sarif-schema.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

const configMaps = '/api/v1/namespaces/default/configmaps';
const traces = await tracesOf({
  sent: [
    ['POST', configMaps, { metadata: { name: 'm' } }],
    ['PATCH', `${configMaps}/m`, { data: { k: 'v' } }, 'application/merge-patch+json'],
    ['POST', configMaps, { metadata: { name: 'other' } }],
  ],
});
for (const [at, trace] of traces.entries()) {
  const id = `id-${at}`;
  writeFileSync(join(folder, traceFileName(id)), JSON.stringify({ ...trace, id, startedAt: at }));
}

async function explain(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const io = { out: (text: string) => lines.push(text), error: (text: string) => lines.push(text) };
  const readYaml = () => Promise.resolve({ outcome: 'unreadable', error: '' } as const);
  const code = await explainCommand.run([...args, '--trace-dir', folder], io, { readYaml });
  return { code, text: lines.join('\n') };
}

const rows: readonly [args: readonly string[], says: RegExp][] = [
  [['cm/m'], /^ADMITTED {2}patch configmaps m in default/],
  [['configmap/m', '--all'], /^# 1 of 2.*\nADMITTED {2}create configmaps m.*# 2 of 2/s],
  [['ConfigMap/other'], /^ADMITTED {2}create configmaps other/],
  [['id-0'], /^ADMITTED {2}create configmaps m/],
];

test.each(rows)('kadmit explain %j of a folder', async (args, says) => {
  expect(await explain(...args)).toEqual({ code: 0, text: expect.stringMatching(says) });
});

const refused: readonly [args: readonly string[], says: RegExp][] = [
  [['cm/othr'], /there is no known write of configmaps othr in default; did you mean "other"\?/],
  [['cm/m', '-n', 'shop'], /namespace default has one: -n default/],
  [['pod/m'], /there is no resource "pod"/],
];

test.each(refused)('kadmit explain %j fails with the reason', async (args, says) => {
  expect(await explain(...args)).toEqual({ code: 2, text: expect.stringMatching(says) });
});

test('JSON output has the findings', async () => {
  const { text } = await explain('id-0', '-o', 'json');
  expect(JSON.parse(text)).toMatchObject({ traceVersion: 1, findings: [] });
});

// Source: the schema of SARIF 2.1.0; the place is the file of the trace, relative to where one is.
test('-o sarif has a result for a refusal', async () => {
  const [, , other] = traces;
  const status = { kind: 'Status', message: 'no room' };
  const refusal = { ...other, id: 'no', verdict: 'refused', response: { code: 403, status, warnings: [] } };
  writeFileSync(join(folder, traceFileName('no')), JSON.stringify(refusal));
  const log = JSON.parse((await explain('no', '-o', 'sarif')).text);
  expect(sarifProblems(log)).toEqual([]);
  expect(log.runs[0].results).toMatchObject([
    { ruleId: 'refused', level: 'error', message: { text: 'refused: create configmaps other in default\nno room' } },
  ]);
  expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toMatch(/\.json$/);
});

test('-o sarif of a request without findings has no results', async () => {
  expect(JSON.parse((await explain('id-0', '-o', 'sarif')).text).runs[0].results).toEqual([]);
});
