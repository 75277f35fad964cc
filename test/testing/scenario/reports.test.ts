import { posix, win32 } from 'node:path';
import { convert } from 'xmlbuilder2';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ScenarioOutcome, StepOutcome } from '../../../src/testing/scenario/outcome.ts';
import { differenceLines } from '../../../src/testing/scenario/report/failure-text.ts';
import { githubReport, githubStepSummary } from '../../../src/testing/scenario/report/github.ts';
import { jsonReport } from '../../../src/testing/scenario/report/json.ts';
import { junitReport } from '../../../src/testing/scenario/report/junit.ts';
import { prettyReport } from '../../../src/testing/scenario/report/pretty.ts';
import { reportedFinding } from '../../../src/app/cli/lint/lint.ts';
import { portableRun, type TestRun } from '../../../src/testing/scenario/report/test-run.ts';
import { sarifOf, sarifReport, uriOf } from '../../../src/testing/scenario/report/sarif.ts';
import { lintText } from '../../harness/lint-text.ts';
import { sarifProblems } from '../../harness/sarif-schema.ts';
import { tapReport } from '../../../src/testing/scenario/report/tap.ts';
import { traceOf } from '../../harness/trace-requests.ts';

const file = 'scenarios/a b/scenario.yaml';
const at = (line: number, column = 5) => ({ file, line, column });

const step = (name: string, line: number, change: Partial<StepOutcome> = {}): StepOutcome => ({
  name,
  place: at(line),
  outcome: 'passed',
  failures: [],
  milliseconds: 1.5,
  trace: undefined,
  leftOut: [],
  ...change,
});

const scenario = (name: string, change: Partial<ScenarioOutcome>): ScenarioOutcome => ({
  scenario: { name, file, description: '' },
  combination: '',
  outcome: 'passed',
  steps: [],
  milliseconds: 12,
  worldMilliseconds: 34_000,
  ...change,
});

const run: TestRun = {
  startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  milliseconds: 1234,
  notRun: 1,
  outcomes: [
    scenario('passes', { steps: [step('create Pod web', 7)], combination: 'fault=hang' }),
    scenario('fails, # <b> & "c"\u0001', {
      outcome: 'failed',
      steps: [
        step('create Pod: 100%', 9, {
          outcome: 'failed',
          failures: [
            {
              what: 'webhooks[1].patch',
              place: at(12, 7),
              message: 'it sent another patch',
              expected: 'a: 1\nb: 2\n',
              actual: 'a: 1\nb: 3\n',
            },
            { what: 'golden pod.golden.yaml', place: at(13, 7), message: 'there is no such file' },
          ],
        }),
        step('delete pod/web', 14, { outcome: 'not-run' }),
        step('get pod/web', 15, { outcome: 'left-out', leftOut: ['the step is for target only'] }),
      ],
    }),
    scenario('breaks', { outcome: 'broken', problem: { message: 'Pod x is refused', place: at(3) } }),
  ],
  unreadable: [
    {
      file: 'bad/scenario.yaml',
      problems: [
        { place: { file: 'bad/scenario.yaml', line: 2, column: 3 }, path: 'steps[0].creat', message: 'unknown field' },
      ],
    },
  ],
};

// The run as Windows has its paths.
const windows = (path: string): string => path.replaceAll('/', '\\');
const windowsRun: TestRun = JSON.parse(
  JSON.stringify(run, (key, value: unknown) => (key === 'file' && typeof value === 'string' ? windows(value) : value)),
);

test('reports of Windows have the paths of other systems', () => {
  expect(JSON.stringify(windowsRun)).toContain('scenarios\\\\a b\\\\scenario.yaml');
  const portable = portableRun(windowsRun, win32);
  for (const report of [githubReport, githubStepSummary, jsonReport, junitReport, tapReport])
    expect(report(portable)).toBe(report(run));
  expect(portableRun(windowsRun, posix)).toBe(windowsRun);
});

test.each([
  [win32, String.raw`C:\repo\a b\scenario.yaml`, String.raw`C:\repo`, 'a%20b/scenario.yaml'],
  [win32, String.raw`a\scenario.yaml`, String.raw`C:\repo`, 'a/scenario.yaml'],
  [win32, String.raw`D:\a\scenario.yaml`, String.raw`C:\repo`, 'file:///D:/a/scenario.yaml'],
  [posix, '/repo/a b/scenario.yaml', '/repo', 'a%20b/scenario.yaml'],
  [posix, '/other/scenario.yaml', '/repo', 'file:///other/scenario.yaml'],
])('%#: a place in SARIF', (paths, path, folder, uri) => {
  expect(uriOf(path, folder, paths)).toBe(uri);
});

const nothing: TestRun = { startedAt: 0, milliseconds: 0, notRun: 0, outcomes: [], unreadable: [] };

test('pretty names file and line first, then the difference', () => {
  expect(prettyReport(run)).toBe(`✗ bad/scenario.yaml  cannot be read
  bad/scenario.yaml:2:3: steps[0].creat: unknown field

✓ passes [fault=hang]  scenarios/a b/scenario.yaml  1 step, 12 ms
✗ fails, # <b> & "c"\u0001  scenarios/a b/scenario.yaml  3 steps, 12 ms
  scenarios/a b/scenario.yaml:9:5: create Pod: 100%
  scenarios/a b/scenario.yaml:12:7: webhooks[1].patch: it sent another patch
      - expected  + actual
        a: 1
      - b: 2
      + b: 3
  scenarios/a b/scenario.yaml:13:7: golden pod.golden.yaml: there is no such file
  1 more step was not run

✗ breaks  scenarios/a b/scenario.yaml  0 steps, 12 ms
  scenarios/a b/scenario.yaml:3:5: cannot be run: Pod x is refused


5 scenarios: 1 passed, 1 failed, 1 could not be run, 1 could not be read, 1 not run; 4 steps in 1.23 s
`);
});

test('of long equal parts a diff shows the ends', () => {
  const lines = (last: string): string =>
    [...Array.from({ length: 20 }, (_one, index) => `line ${index}`), last].join('\n');
  expect(differenceLines(lines('a'), lines('b'))).toEqual([
    '  - expected  + actual',
    '    … 17 equal lines',
    '    line 17',
    '    line 18',
    '    line 19',
    '  - a',
    '  + b',
  ]);
});

// Source: jenkinsci/xunit-plugin src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
const elements: Readonly<
  Record<string, { readonly attributes: readonly string[]; readonly children: readonly string[] }>
> = {
  testsuites: { attributes: ['name', 'time', 'tests', 'failures', 'disabled', 'errors'], children: ['testsuite'] },
  testsuite: {
    attributes: [
      'name',
      'tests',
      'failures',
      'errors',
      'time',
      'disabled',
      'skipped',
      'timestamp',
      'hostname',
      'id',
      'package',
    ],
    children: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    attributes: ['name', 'assertions', 'time', 'classname', 'status'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  failure: { attributes: ['type', 'message'], children: [] },
  error: { attributes: ['type', 'message'], children: [] },
  skipped: { attributes: ['message'], children: [] },
};

interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

/** The object form of xmlbuilder2 as a tree. */
function treeOf(name: string, value: unknown): XmlNode {
  const attributes: Record<string, string> = {};
  const children: XmlNode[] = [];
  let text = typeof value === 'string' ? value : '';
  for (const [key, one] of Object.entries(typeof value === 'object' && value !== null ? value : {})) {
    if (key.startsWith('@')) attributes[key.slice(1)] = String(one);
    else if (key === '#') text = String(one);
    else for (const item of Array.isArray(one) ? one : [one]) children.push(treeOf(key, item));
  }
  return { name, attributes, children, text };
}

const junitTree = (of: TestRun): XmlNode => {
  const [[name, value] = ['', '']] = Object.entries(convert(junitReport(of), { format: 'object' }));
  return treeOf(name, value);
};

function faultsOf(node: XmlNode): readonly string[] {
  const known = elements[node.name];
  if (!known) return [`<${node.name}>`];
  return [
    ...Object.keys(node.attributes)
      .filter((one) => !known.attributes.includes(one))
      .map((one) => `${node.name} ${one}`),
    ...(node.name.startsWith('test') && node.attributes['name'] === undefined ? [`${node.name} without name`] : []),
    ...node.children.filter(({ name }) => !known.children.includes(name)).map(({ name }) => `${node.name} > ${name}`),
    ...node.children.flatMap(faultsOf),
  ];
}

test.each([run, nothing])('junit has only what the schema knows', (of) => {
  expect(faultsOf(junitTree(of))).toEqual([]);
});

test('the numbers of junit are those of its elements', () => {
  const tree = junitTree(run);
  const cases = (node: XmlNode): readonly XmlNode[] =>
    node.children.flatMap((one) => (one.name === 'testcase' ? [one] : cases(one)));
  const having = (node: XmlNode, name: string): string =>
    String(cases(node).filter(({ children }) => children.some((one) => one.name === name)).length);
  for (const node of [tree, ...tree.children]) {
    const { tests, failures, errors, skipped = having(node, 'skipped') } = node.attributes;
    expect({ tests, failures, errors, skipped }).toEqual({
      tests: String(cases(node).length),
      failures: having(node, 'failure'),
      errors: having(node, 'error'),
      skipped: having(node, 'skipped'),
    });
  }
});

test('junit shows place, message and difference of a failure', () => {
  const [, , failed] = junitTree(run).children;
  expect(junitReport(run)).toContain('<testsuite name="fails, # &lt;b> &amp; &quot;c&quot;\uFFFD" tests="3"');
  expect(failed?.attributes).toMatchObject({ timestamp: '2026-01-02T03:04:05', time: '0.012' });
  expect(failed?.children[0]?.children[0]).toEqual({
    name: 'failure',
    attributes: { message: 'it sent another patch', type: 'webhooks[1].patch' },
    children: [],
    text: `scenarios/a b/scenario.yaml:9:5
webhooks[1].patch: it sent another patch
  - expected  + actual
    a: 1
  - b: 2
  + b: 3
golden pod.golden.yaml: there is no such file`,
  });
});

// Source: testanything.org/tap-version-14-specification.html
test('tap has a plan, subtests, escaped names and YAML blocks', () => {
  const lines = tapReport(run).trimEnd().split('\n');
  expect(lines.slice(0, 3)).toEqual(['TAP version 14', '1..4', 'not ok 1 - bad/scenario.yaml']);
  expect(lines.filter((line) => /^(?: {4})?(?:not )?ok|^ *1\.\.|^# Sub/.test(line))).toEqual([
    '1..4',
    'not ok 1 - bad/scenario.yaml',
    '# Subtest: passes [fault=hang]',
    '    1..1',
    '    ok 1 - create Pod web',
    'ok 2 - passes [fault=hang]',
    '# Subtest: fails, \\# <b> & "c"\u0001',
    '    1..3',
    '    not ok 1 - create Pod: 100%',
    '    ok 2 - delete pod/web # SKIP an earlier step failed',
    '    ok 3 - get pod/web # SKIP the step is for target only',
    'not ok 3 - fails, \\# <b> & "c"\u0001',
    'not ok 4 - breaks',
  ]);
  const begin = lines.indexOf('      ---');
  const block: unknown = parse(lines.slice(begin + 1, lines.indexOf('      ...')).join('\n'));
  expect(block).toMatchObject({ at: { file, line: 9, column: 5 }, failures: [{ what: 'webhooks[1].patch' }, {}] });
});

test('github has one line for each failure, with its place, and a summary', () => {
  expect(githubReport(run).trimEnd().split('\n')).toEqual([
    '::error file=bad/scenario.yaml,line=2,col=3,title=bad/scenario.yaml cannot be read::steps[0].creat: unknown field',
    '::error file=scenarios/a b/scenario.yaml,line=12,col=7,title=fails%2C # <b> & "c"\u0001%3A create Pod%3A 100%25::webhooks[1].patch: it sent another patch%0A  - expected  + actual%0A    a: 1%0A  - b: 2%0A  + b: 3',
    '::error file=scenarios/a b/scenario.yaml,line=13,col=7,title=fails%2C # <b> & "c"\u0001%3A create Pod%3A 100%25::golden pod.golden.yaml: there is no such file',
    '::error file=scenarios/a b/scenario.yaml,line=3,col=5,title=breaks cannot be run::Pod x is refused',
    '5 scenarios: 1 passed, 1 failed, 1 could not be run, 1 could not be read, 1 not run; 4 steps in 1.23 s',
  ]);
  expect(githubReport(nothing)).toBe('0 scenarios: none ran; 0 steps in 0 ms\n');
});

test('the step summary of GitHub has the counts, and a row for each failure', () => {
  const [passes] = run.outcomes;
  expect(githubStepSummary({ ...nothing, outcomes: passes ? [passes] : [] })).toBe(
    '### kadmit test\n\n1 scenario: 1 passed; 1 step in 0 ms\n\n',
  );
  expect(githubStepSummary(run).split('\n').slice(2)).toEqual([
    '5 scenarios: 1 passed, 1 failed, 1 could not be run, 1 could not be read, 1 not run; 4 steps in 1.23 s',
    '',
    '| Place | Scenario and step | Failure |',
    '| --- | --- | --- |',
    '| bad/scenario.yaml:2 | bad/scenario.yaml cannot be read | steps[0].creat: unknown field |',
    '| scenarios/a b/scenario.yaml:12 | fails, # &lt;b&gt; &amp; "c"\u0001: create Pod: 100% | webhooks[1].patch: it sent another patch |',
    '| scenarios/a b/scenario.yaml:13 | fails, # &lt;b&gt; &amp; "c"\u0001: create Pod: 100% | golden pod.golden.yaml: there is no such file |',
    '| scenarios/a b/scenario.yaml:3 | breaks cannot be run | Pod x is refused |',
    '',
    '',
  ]);
});

test('json is versioned and has every step', () => {
  expect(JSON.parse(jsonReport(run))).toMatchObject({
    reportVersion: 1,
    startedAt: '2026-01-02T03:04:05.000Z',
    totals: { scenarios: 3, passed: 1, failed: 1, broken: 1, unreadable: 1, notRun: 1, steps: 4, failures: 2 },
    scenarios: [
      { name: 'passes', combination: 'fault=hang', outcome: 'passed', worldMilliseconds: 34_000 },
      {
        outcome: 'failed',
        steps: [
          { line: 9, failures: [{ line: 12, expected: 'a: 1\nb: 2\n' }, {}] },
          { outcome: 'not-run' },
          { leftOut: ['the step is for target only'] },
        ],
      },
      { outcome: 'broken', problem: { message: 'Pod x is refused', line: 3 } },
    ],
    unreadable: [{ file: 'bad/scenario.yaml', problems: [{ path: 'steps[0].creat' }] }],
  });
});

const sarif = (of: TestRun) => JSON.parse(sarifReport(of, { version: '1.2.3', folder: '/repo' }));

// Source: oasis-tcs/sarif-spec Schemata/sarif-schema-2.1.0.json: what is required, and which fields there are.
test('sarif keeps the rules of its schema', () => {
  const log = sarif(run);
  expect(Object.keys(log).toSorted()).toEqual(['$schema', 'runs', 'version']);
  expect(log.version).toBe('2.1.0');
  const [{ tool, results, ...others }] = log.runs;
  expect(others).toEqual({ columnKind: 'utf16CodeUnits' });
  expect(tool.driver).toMatchObject({ name: 'kadmit', version: '1.2.3' });
  const ids = tool.driver.rules.map(({ id }: { readonly id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { ruleId, ruleIndex, level, message, locations, ...rest } of results) {
    expect(rest).toEqual({});
    expect(ids[ruleIndex]).toBe(ruleId);
    expect(level).toBe('error');
    expect(message.text).not.toBe('');
    expect(locations[0].physicalLocation.region.startLine).toBeGreaterThan(0);
    expect(locations[0].physicalLocation.artifactLocation.uri).not.toMatch(/^\/|\s/);
  }
});

test('sarif keeps to its published schema, and what does not is found', () => {
  expect(sarifProblems(sarif(run))).toEqual([]);
  expect(sarifProblems(sarif(nothing))).toEqual([]);
  expect(sarifProblems({ version: '2.1.0' })).toEqual([": must have required property 'runs'"]);
  const log = sarif(run);
  log.runs[0].results[0].level = 'fatal';
  log.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0;
  expect(sarifProblems(log)).toContain('/runs/0/results/0/level: must be equal to one of the allowed values');
});

const linted = lintText(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: v}
webhooks:
  - name: a.example.com
    clientConfig: {service: {namespace: a, name: b}}
    rules: [{operations: [UPDATE], apiGroups: [autoscaling], apiVersions: [v1], resources: [deployments/scale]}]
    sideEffects: None
    admissionReviewVersions: [v1]
`);

test('so does that of kadmit lint; what a server holds stands at its address', () => {
  const about = { version: '1.2.3', folder: '/repo', descriptionOf: (rule: string) => rule };
  const log = JSON.parse(sarifOf(linted.map(reportedFinding), about));
  expect(linted.length).toBeGreaterThan(0);
  expect(sarifProblems(log)).toEqual([]);
  const held = linted
    .map(reportedFinding)
    .map((one) => ({ ...one, place: { ...at(1, 1), file: 'https://127.0.0.1:6443' } }));
  const { results } = JSON.parse(sarifOf(held, about)).runs[0];
  expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('https://127.0.0.1:6443');
});

test('sarif has a result for each failure', () => {
  const places = sarif(run).runs[0].results.map(
    ({
      ruleId,
      locations: [{ physicalLocation }],
    }: {
      readonly ruleId: string;
      readonly locations: readonly [
        {
          readonly physicalLocation: {
            readonly artifactLocation: { readonly uri: string };
            readonly region: { readonly startLine: number };
          };
        },
      ];
    }) => `${ruleId} ${physicalLocation.artifactLocation.uri}:${physicalLocation.region.startLine}`,
  );
  expect(places).toEqual([
    'format bad/scenario.yaml:2',
    'webhooks.patch scenarios/a%20b/scenario.yaml:12',
    'golden scenarios/a%20b/scenario.yaml:13',
    'set-up scenarios/a%20b/scenario.yaml:3',
  ]);
  expect(sarif(nothing).runs[0].results).toEqual([]);
});

test('sarif shows what the traces of the steps show; of a step that passed as a note', async () => {
  const clientConfig = { service: { namespace: 'no', name: 'where' } };
  const trace = await traceOf({
    mutating: [{ name: 'a.example.com', failurePolicy: 'Ignore', clientConfig }],
    responses: { 'a.example.com': () => ({ outcome: 'failed', phase: 'resolve', error: 'service "where" not found' }) },
    sent: [['POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' } }]],
  });
  const steps = [step('one', 4, { trace }), step('two', 5, { trace, outcome: 'failed' })];
  const { results, tool } = sarif({ ...nothing, outcomes: [scenario('s', { steps })] }).runs[0];
  const reported = results.map(({ ruleId, level }: { readonly ruleId: string; readonly level: string }) => [
    ruleId,
    level,
  ]);
  expect(reported).toEqual([
    ['finding/unchecked', 'note'],
    ['finding/unchecked', 'warning'],
  ]);
  expect(tool.driver.rules[0].shortDescription.text).toContain('docs/reference/findings.md#unchecked');
});
