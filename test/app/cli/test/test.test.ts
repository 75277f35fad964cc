import { createServer } from 'node:http';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from '../../../../src/app/cli/run.ts';
import { createScreen } from '../../../../src/app/cli/test/test-reports.ts';
import { readYamlBody } from '../../../../src/adapters/http/body-formats.ts';
import { createWorlds } from '../../../../src/app/in-process/worlds.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

let count = 0;

function write(files: Readonly<Record<string, string>>): string {
  const own = join(folder, String((count += 1)));
  mkdirSync(own);
  put(own, files);
  return own;
}

function put(own: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), text);
  }
}

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

/** `kadmit test` with these arguments; `heard` gets every line as it is printed. */
async function kadmitTest(args: readonly string[], heard: (line: string) => void = () => {}): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const to = (lines: string[]) => (text: string) => {
    lines.push(text);
    heard(text);
  };
  const exitCode = await run(
    ['test', ...args],
    { out: to(out), error: to(error) },
    {
      startApiserver: () => Promise.reject(new Error('no server')),
      startOwnServer: () => Promise.reject(new Error('no server')),
      runCommand: () => Promise.reject(new Error('no commands')),
      openTraces: () => Promise.reject(new Error('no page')),
      runningPlugins: () => Promise.reject(new Error('not asked for')),
      admissionPlugins: () => Promise.reject(new Error('no plugins')),
      createWorlds: async (onBug) => createWorlds(onBug),
      readYaml: readYamlBody,
    },
  );
  return { exitCode, out: out.join('\n'), error: error.join('\n') };
}

const map = (name: string): string => `{ apiVersion: v1, kind: ConfigMap, metadata: { name: ${name} } }`;
const passing = `name: it passes\nsteps: [{ create: ${map('a')} }]\n`;
const failing = `name: it fails\nsteps:\n  - create: ${map('a')}\n    expect: { code: 403 }\n`;

test('a passing scenario exits with 0', async () => {
  const own = write({
    'a/scenario.yaml': passing,
    'b/c/scenario.yaml': passing,
    'b/node_modules/scenario.yaml': failing,
  });
  const { exitCode, out, error } = await kadmitTest([own]);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(out).toMatch(/✓ it passes {2}.*\/a\/scenario\.yaml {2}1 step, [\d.]+ m?s\n✓ it passes/);
  expect(out).toMatch(/\n2 scenarios: 2 passed; 2 steps in [\d.]+ m?s$/);
});

test('a folder has scenario.yaml and *.kadmit.yaml; -t selects by name, --bail ends at the first failure', async () => {
  const own = write({
    'a.kadmit.yaml': failing,
    'b/pods.kadmit.yml': passing,
    'b/other.yaml': failing,
    'b/.kadmit.yaml': failing,
    'c/scenario.yaml': passing,
  });
  expect((await kadmitTest([own, '--parallel', '1'])).out).toMatch(/\n3 scenarios: 2 passed, 1 failed; /);
  expect((await kadmitTest([own, '-t', 'passes'])).out).toMatch(/\n2 scenarios: 2 passed; /);
  const first = join(own, 'a.kadmit.yaml');
  expect((await kadmitTest([first, own, '--parallel', '1', '--bail'])).out).toMatch(
    /\n3 scenarios: 1 failed, 2 not run; /,
  );
});

test('--report github prints a summary line when all pass, and writes the summary of the step', async () => {
  const own = write({ 'scenario.yaml': passing });
  const summary = join(own, 'summary.md');
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
  try {
    expect((await kadmitTest([own, '--report', 'github'])).out).toMatch(/^1 scenario: 1 passed; 1 step in [\d.]+ m?s$/);
    expect(readFileSync(summary, 'utf8')).toMatch(/^### kadmit test\n\n1 scenario: 1 passed; /);
    await kadmitTest([own]);
    expect(readFileSync(summary, 'utf8').match(/###/g)).toHaveLength(1);
  } finally {
    vi.unstubAllEnvs();
  }
});

// One webhook of two is called, one rule of three matches, and `replicas <= 5` is never false.
const halfCovered = `
webhooks: [{ name: one.example.com, does: allow }, { name: two.example.com, does: allow }]
load:
  - apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: { name: hooks }
    webhooks:
      - &hook
        name: one.example.com
        clientConfig: { service: { namespace: a, name: one } }
        rules:
          - { operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps] }
          - { operations: [DELETE], apiGroups: [''], apiVersions: [v1], resources: [configmaps] }
        sideEffects: None
        admissionReviewVersions: [v1]
      - <<: *hook
        name: two.example.com
        clientConfig: { service: { namespace: a, name: two } }
        rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [secrets] }]
  - apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicy
    metadata: { name: small }
    spec:
      matchConstraints: { resourceRules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps] }] }
      validations: [{ expression: 'object.metadata.name.size() < 5' }]
  - apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicyBinding
    metadata: { name: small }
    spec: { policyName: small, validationActions: [Deny] }
steps: [{ create: ${map('a')} }]
`;

const coverageRows: readonly [args: readonly string[], exitCode: number, error: string][] = [
  [['--coverage'], 0, ''],
  [['--coverage-threshold', 'branches=50,policies=100,webhooks=50,rules=33'], 0, ''],
  [
    ['--coverage-threshold', 'rules=34%'],
    1,
    'kadmit test: coverage of rules is 33.3% (1 of 3), below the threshold of 34%',
  ],
  [
    ['--coverage-threshold', '60', '--coverage-threshold', 'rules=0', '--report', 'json'],
    1,
    [
      'kadmit test: coverage of webhooks is 50% (1 of 2), below the threshold of 60%',
      'kadmit test: coverage of branches is 50% (1 of 2), below the threshold of 60%',
    ].join('\n'),
  ],
];

test.each(coverageRows)('%j exits with %i', async (args, exitCode, error) => {
  const own = write({ 'scenario.yaml': halfCovered });
  expect(await kadmitTest([own, ...args])).toMatchObject({ exitCode, error });
});

test('a failed scenario exits with 1 above the threshold, and nothing to cover is not below', async () => {
  const own = write({ 'a/scenario.yaml': failing, 'b/scenario.yaml': passing });
  expect(await kadmitTest([join(own, 'a'), '--coverage-threshold', '0'])).toMatchObject({ exitCode: 1, error: '' });
  expect(await kadmitTest([join(own, 'b'), '--coverage-threshold', '100'])).toMatchObject({ exitCode: 0, error: '' });
});

test('--report json has the coverage of all scenarios with --coverage, and none without', async () => {
  const own = write({ 'a/scenario.yaml': halfCovered, 'b/scenario.yaml': halfCovered });
  const { out } = await kadmitTest([own, '--coverage', '--report', 'json']);
  expect(JSON.parse(out)).toMatchObject({
    coverage: {
      totals: {
        webhooks: { covered: 1, all: 2 },
        policies: { covered: 1, all: 1 },
        rules: { covered: 1, all: 3 },
        branches: { covered: 1, all: 2 },
      },
      webhooks: [
        { name: 'one.example.com', considered: 2, outcomes: { called: 2 }, rules: [{ matched: 2 }, { matched: 0 }] },
        { name: 'two.example.com', considered: 2, outcomes: { skipped: 2 } },
      ],
      policies: [{ name: 'small', outcomes: { evaluated: 2 } }],
    },
  });
  expect(JSON.parse((await kadmitTest([own, '--report', 'json'])).out)).not.toHaveProperty('coverage');
});

test('results of a matrix are printed in the order of the matrix, other files at once', () => {
  const lines: string[] = [];
  const screen = createScreen({ report: [] }, { out: (text) => void lines.push(text), error: () => {} });
  const run = (name: string, combination: string) => ({ scenario: { name, file: name, description: '' }, combination });
  const passed = { outcome: 'passed', steps: [], milliseconds: 1, worldMilliseconds: 0 } as const;
  const titles = (): readonly string[] => lines.map((text) => /✓ (.*?) {2}/.exec(text)?.[1] ?? '');
  for (const one of ['x=1', 'x=2', 'x=3']) screen.running(run('a', one), 4);
  screen.running(run('b', ''), 4);
  screen.over({ ...run('a', 'x=2'), ...passed });
  screen.over({ ...run('b', ''), ...passed });
  expect(titles()).toEqual(['b']);
  screen.over({ ...run('a', 'x=1'), ...passed });
  expect(titles()).toEqual(['b', 'a [x=1]', 'a [x=2]']);
  screen.over({ ...run('a', 'x=3'), ...passed });
  expect(titles()).toEqual(['b', 'a [x=1]', 'a [x=2]', 'a [x=3]']);
});

test('results behind a run that was interrupted are printed before the summary', () => {
  const lines: string[] = [];
  const screen = createScreen({ report: [] }, { out: (text) => void lines.push(text), error: () => {} });
  const run = (combination: string) => ({ scenario: { name: 'a', file: 'a', description: '' }, combination });
  screen.running(run('x=1'), 2);
  screen.running(run('x=2'), 2);
  screen.over({ ...run('x=2'), outcome: 'passed', steps: [], milliseconds: 1, worldMilliseconds: 0 });
  screen.summary({ startedAt: 0, milliseconds: 1, outcomes: [], unreadable: [], notRun: 2 });
  expect(lines[0]).toMatch(/✓ a \[x=2\]/);
  expect(lines[1]).toMatch(/2 not run/);
});

test('a failing scenario exits with 1, with file and line first', async () => {
  const own = write({ 'scenario.yaml': failing });
  const { exitCode, out } = await kadmitTest([join(own, 'scenario.yaml')]);
  expect(exitCode).toBe(1);
  const [head, stepLine, failureLine] = out.split('\n');
  expect(head).toMatch(/^✗ it fails/);
  expect(stepLine).toBe(`  ${own}/scenario.yaml:3:5: create ConfigMap a`);
  expect(failureLine).toContain(`${own}/scenario.yaml:4:13: outcome: a refusal was expected`);
  expect(out).toContain('ADMITTED  create configmaps a in default');
});

test('a failure caused by an omission has a hint', async () => {
  const own = write({
    'a/scenario.yaml': `steps: [{ create: ${map('a')}, namespace: shop }]`,
    'b/scenario.yaml': `load: conf.yaml\nsteps: [{ create: ${map('a')} }]`,
    'b/conf.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: images }
webhooks:
  - name: images.example.com
    clientConfig: { service: { namespace: policy, name: images } }
    rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps] }]
    sideEffects: None
    admissionReviewVersions: [v1]
`,
  });
  const { out } = await kadmitTest([own]);
  expect(out).toContain('    hint: add namespaces: { shop: {} } to make it first');
  expect(out).toContain(
    '    hint: images.example.com is not in webhooks and cannot be reached: add { name: images.example.com } there',
  );
});

// Longer than the 255 bytes that file systems allow.
const longName = 'a'.repeat(300);
const tooLong = 'this path is too long for the file system: give the path of an existing file or folder';

const usage: readonly [args: readonly string[], error: string][] = [
  [[], 'kadmit test: at least one PATH is required'],
  [['nowhere'], 'kadmit test: nowhere: there is no such file or folder'],
  [[longName], `kadmit test: ${longName}: ${tooLong}`],
  [[longName, '--call', 'http://localhost'], `kadmit test: ${longName}:1:1: ${tooLong}`],
  [['x', '--shard', '4/3'], 'kadmit test: --shard "4/3" is not INDEX/COUNT: give one such as 1/3'],
  [['x', '--parallel', '0'], 'kadmit test: --parallel "0" is not a number from 1 to 999'],
  [
    ['x', '--filter', '/(/'],
    'kadmit test: --filter "/(/" is no regular expression: Invalid regular expression: /(/: Unterminated group',
  ],
  [
    ['x', '--report', 'xml'],
    'kadmit test: --report "xml" is none of pretty, junit, tap, json, github, sarif, perhaps with =FILE',
  ],
  [
    ['x', '--report', 'json', '--report', 'pretty'],
    'kadmit test: --report json shares standard output with another report: give it a file, --report json=FILE',
  ],
  [['x', '--call', 'x', '--outage'], 'kadmit test: --outage and --call cannot be used together'],
  [
    ['x', '--coverage-threshold', '101'],
    'kadmit test: --coverage-threshold "101" is not [MEASURE=]PERCENT: give one such as 80 or branches=80',
  ],
  [
    ['x', '--coverage-threshold', 'lines=80'],
    'kadmit test: --coverage-threshold "lines=80" names none of webhooks, policies, rules, branches',
  ],
  [
    ['x', '--coverage-threshold', '80', '--outage'],
    'kadmit test: --coverage-threshold and --outage cannot be used together',
  ],
  [['x', '--insecure'], 'kadmit test: --ca and --insecure need --call'],
  [['x', '--clock', 'slow'], 'kadmit test: --clock "slow" is none of real, virtual'],
];

test.each(usage)('%j is bad usage', async (args, error) => {
  expect(await kadmitTest(args)).toEqual({ exitCode: 2, out: '', error });
});

test('a file that cannot be read exits with 2, and the others run', async () => {
  const own = write({ 'a/scenario.yaml': 'steps: [{ creat: x }]', 'b/scenario.yaml': passing });
  const { exitCode, out } = await kadmitTest([own]);
  expect(exitCode).toBe(2);
  expect(out).toContain(`${own}/a/scenario.yaml:1:11: steps[0].creat: unknown field; did you mean "create"?`);
  expect(out).toContain('✓ it passes');
});

const threeFolders = {
  'a/scenario.yaml': failing,
  'b/scenario.yaml': passing.replace('it', 'b'),
  'c/scenario.yaml': passing,
};

test('--filter takes a text or a pattern, of names and files', async () => {
  const own = write(threeFolders);
  const names = async (filter: string): Promise<readonly (string | undefined)[]> =>
    [...(await kadmitTest([own, '--filter', filter])).out.matchAll(/^[✓✗] (.*?) {2}/gmu)].map((match) => match[1]);
  expect(await names('IT F')).toEqual(['it fails']);
  expect(await names('/passes$/')).toEqual(['b passes', 'it passes']);
  expect(await names('c/scenario')).toEqual(['it passes']);
  expect(await kadmitTest([own, '--filter', 'zzz'])).toMatchObject({ exitCode: 2, out: '' });
});

test('the shards have every scenario once', async () => {
  const own = write(threeFolders);
  const outs = await Promise.all(['1/2', '2/2'].map(async (shard) => (await kadmitTest([own, '--shard', shard])).out));
  expect(outs.map((out) => out.match(/^[✓✗]/gmu)?.length)).toEqual([2, 1]);
});

test('--bail begins no other scenario', async () => {
  const { exitCode, out } = await kadmitTest([write(threeFolders), '--bail', '--parallel', '1']);
  expect(exitCode).toBe(1);
  expect(out).toMatch(/3 scenarios: 1 failed, 2 not run; 1 step in/);
});

test('reports go to files or to standard output', async () => {
  const own = write({ 'scenario.yaml': failing });
  const kinds = ['pretty', 'junit', 'tap', 'json', 'sarif', 'github'] as const;
  const reports = kinds.flatMap((kind) => ['--report', `${kind}=${own}/out/${kind}`]);
  const { exitCode, out } = await kadmitTest([own, ...reports, '--report', 'github']);
  expect(exitCode).toBe(1);
  expect(out).toMatch(/^::error file=/);
  expect(readdirSync(join(own, 'out')).toSorted()).toEqual(kinds.toSorted());
  expect(readFileSync(join(own, 'out/json'), 'utf8')).toContain('"reportVersion": 1');
  expect(await kadmitTest([own, '--report', `json=${own}/scenario.yaml/x`])).toMatchObject({ exitCode: 2 });
});

test('the place of a --report json on standard output is its own', async () => {
  const { out } = await kadmitTest([write({ 'scenario.yaml': passing }), '--report', 'json']);
  expect(JSON.parse(out)).toMatchObject({ totals: { passed: 1 } });
});

test('--update writes golden files, and then they match', async () => {
  const own = write({ 'scenario.yaml': `steps: [{ create: ${map('a')}, expect: { golden: a.yaml } }]` });
  expect((await kadmitTest([own])).exitCode).toBe(1);
  expect((await kadmitTest([own, '--update'])).exitCode).toBe(0);
  const golden = readFileSync(join(own, 'a.yaml'), 'utf8');
  expect(golden).toContain('name: a\n');
  expect((await kadmitTest([own])).exitCode).toBe(0);
  // As Git checks it out on Windows.
  writeFileSync(join(own, 'a.yaml'), golden.replaceAll('\n', '\r\n'));
  expect((await kadmitTest([own])).exitCode).toBe(0);
});

test('--trace-dir has a file for each step, for its owner only', async () => {
  const own = write({ 'a/q/scenario.yaml': passing, 'b/q/scenario.yaml': passing, 'b/q/other.yaml': passing });
  await kadmitTest([own, join(own, 'b/q/other.yaml'), '--trace-dir', join(own, 'traces')]);
  const files = readdirSync(join(own, 'traces'), { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('01-create-ConfigMap-a.json'),
  );
  expect(files.map((one) => one.split('/').slice(-4, -1).join('/')).toSorted()).toMatchObject([
    expect.stringMatching(/a\/q$/),
    expect.stringMatching(/b\/q$/),
    'b/q/other.yaml',
  ]);
  const file = join(own, 'traces', files[0] ?? '');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ verdict: 'admitted' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a failure has the position of the expected field', async () => {
  const own = write({
    'scenario.yaml': `steps:\n  - create: ${map('a')}\n    expect:\n      code: 201\n      warnings: [x]\n  - create: ${map('b')}\n    expect: {}\n`,
  });
  const { out } = await kadmitTest([own, '--report', 'github']);
  expect(out).toContain('line=5,col=7');
});

test('--clock real runs virtual scenarios in real time', async () => {
  const own = write({ 'scenario.yaml': 'steps: [{ advance: 20ms }]' });
  const { out } = await kadmitTest([own, '--clock', 'real', '--report', 'json']);
  expect(JSON.parse(out).scenarios[0].milliseconds).toBeGreaterThanOrEqual(19);
});

test('--watch runs the scenarios of a changed file again, until it is ended', async () => {
  const own = write({
    'a/scenario.yaml': 'name: a\nsteps: [{ create: map.yaml }]',
    'a/map.yaml': map('a'),
    'b/scenario.yaml': passing,
  });
  const lines: string[] = [];
  const waiting = (): number => lines.filter((line) => line.startsWith('waiting for changes')).length;
  const ending = kadmitTest([own, '--watch'], (line) => void lines.push(line));
  const until = (times: number): Promise<void> =>
    vi.waitFor(() => expect(waiting()).toBeGreaterThanOrEqual(times), { timeout: 20_000, interval: 50 });
  await until(1);
  // A watcher needs a moment before it sees: change until it has seen.
  const change = async (times: number, files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const from = lines.length;
    await vi.waitFor(
      async () => {
        put(own, files);
        await vi.waitFor(() => expect(waiting()).toBeGreaterThanOrEqual(times), { timeout: 1000, interval: 50 });
      },
      { timeout: 20_000 },
    );
    return lines.slice(from).filter((line) => /^[✓✗]/u.test(line));
  };
  const [first = ''] = await change(2, { 'a/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: B }' });
  expect(first).toMatch(/^✗ a /);
  const added = await change(waiting() + 1, { 'c/scenario.yaml': passing.replace('it passes', 'new') });
  expect(added.some((line) => line.startsWith('✓ new'))).toBe(true);
  expect(added.some((line) => line.startsWith('✓ it passes'))).toBe(false);
  process.emit('SIGTERM');
  expect((await ending).exitCode).toBe(0);
}, 60_000);

const review = JSON.stringify({
  kind: 'AdmissionReview',
  apiVersion: 'admission.k8s.io/v1',
  request: { uid: 'u', operation: 'CREATE', object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } } },
});

test('--call sends all reviews to a script', async () => {
  const own = write({
    'reviews/pod.json': review,
    'reviews/pod.expected.yaml': 'allowed: false',
    'hook.ts':
      'export default (review: { request: { uid: string } }) => ({ allowed: false, status: { message: review.request.uid } });',
    'bad.js': 'export default () => ({ allowed: true, patchType: "X", patch: "e30=" });',
  });
  const good = await kadmitTest([join(own, 'reviews'), '--call', join(own, 'hook.ts')]);
  expect(good).toMatchObject({ exitCode: 0 });
  expect(good.out).toContain('    pod.json: CREATE: denied with 403: u');
  expect((await kadmitTest([join(own, 'reviews'), '--call', join(own, 'bad.js')])).exitCode).toBe(1);
  expect(await kadmitTest([own, '--call', 'nowhere'])).toMatchObject({ exitCode: 2 });
});

test('--call sends all reviews to a URL, and fails for an invalid response', async () => {
  const own = write({ 'one.json': review, 'two.json': review });
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
      const answer = {
        kind: 'AdmissionReview',
        apiVersion: 'admission.k8s.io/v1',
        response: { uid: 'u', allowed: true },
      };
      response.setHeader('content-type', 'application/json').end(asked === 1 ? JSON.stringify(answer) : 'nonsense');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const { exitCode, out } = await kadmitTest([own, '--call', `http://127.0.0.1:${port}/`]);
  await new Promise((done) => server.close(done));
  expect(exitCode).toBe(1);
  expect(out).toContain('one.json: CREATE: allowed');
  expect(out).toMatch(/two\.json:1:1: answer: .*failed calling webhook/);
});

test('--init writes a scenario that passes, with its schema, and overwrites none', async () => {
  const own = join(write({}), 'first');
  expect(await kadmitTest(['--init', own])).toMatchObject({ exitCode: 0 });
  const [, schema = ''] = /\$schema=(.*)/.exec(readFileSync(join(own, 'scenario.yaml'), 'utf8')) ?? [];
  expect(JSON.parse(readFileSync(join(own, schema), 'utf8'))).toMatchObject({ required: ['steps'] });
  expect(await kadmitTest([own])).toMatchObject({ exitCode: 0 });
  expect(await kadmitTest(['--init', own])).toMatchObject({
    exitCode: 2,
    error: `kadmit test: --init ${own}: scenario.yaml exists already`,
  });
});

test('--help names every flag', async () => {
  const { out } = await kadmitTest(['--help']);
  for (const flag of [
    'watch',
    'update',
    'filter',
    'shard',
    'parallel',
    'bail',
    'clock',
    'report',
    'target',
    'compare-with',
    'outage',
    'trace-dir',
    'call',
  ]) {
    expect(out).toMatch(new RegExp(`\\n  (-\\w, )?--${flag}\\b`));
  }
});
