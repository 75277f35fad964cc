import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { importCommand } from '../../../src/app/cli/import/import.ts';
import { importTests as importOf } from '../../../src/library.ts';
import { chainsaw, deployment, gator, kat, kyverno, limit, review, template } from '../../harness/importable-tests.ts';
import { createWorlds } from '../../../src/app/in-process/worlds.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

// Each format as its own tool reads it: Kyverno's cmd/cli/kubectl-kyverno/apis/v1alpha1, Gatekeeper's pkg/gator/verify, kat's grammar of
// file names, chainsaw's Test v1alpha1, admission.k8s.io/v1. What is expected of a scenario is that it passes here, and fails when the
// policy says something else.

const root = temporaryFolder();

interface Format {
  readonly is: string;
  readonly files: Readonly<Record<string, string>>;
  readonly from: string;
  readonly args?: readonly string[];
  readonly notes: readonly string[];
  readonly scenarios: number;
  /** What is expected of the steps, in order. */
  readonly expects: readonly unknown[];
}

const completed = (name: string): string =>
  `Deployment ${name} had no containers, no selector, no labels of its template; added, since an API server requires them`;
const unbound =
  'ValidatingAdmissionPolicy replicas has no binding and would never be evaluated; a binding that matches everything was added';
const denied = { deniedBy: 'policy/replicas' };
const formats: readonly Format[] = [
  {
    is: 'kyverno-test.yaml',
    files: kyverno,
    from: 'kyverno-test.yaml',
    notes: [
      'ClusterPolicy require-labels is evaluated by Kyverno alone, not by an API server: left out',
      unbound,
      'results of require-labels, rule team: left out with the policy',
      completed('two'),
      completed('nine'),
      completed('free'),
    ],
    scenarios: 1,
    expects: [{ policies: { replicas: 'evaluated' } }, denied, { policies: { replicas: 'skipped' } }],
  },
  {
    is: 'a suite of gator',
    files: gator,
    from: 'suite.yaml',
    notes: [
      'with others: it reads other objects (inventory), which CEL cannot do: left out',
      'in Rego: template teams is written in Rego, which an API server does not know: left out',
    ],
    scenarios: 1,
    expects: [
      { outcome: 'admitted' },
      { deniedBy: 'policy/gatekeeper-teams', message: '/no te.m/' },
      { outcome: 'admitted' },
    ],
  },
  {
    is: 'a folder of kat',
    files: kat,
    from: '.',
    notes: [
      'replicas.asks.deny: it sets decisions of the authorizer; kadmit uses RBAC: left out',
      completed('shop/nine'),
      completed('shop/old'),
      completed('two'),
    ],
    scenarios: 2,
    expects: [
      { outcome: 'admitted' },
      { outcome: 'admitted' },
      denied,
      { ...denied, message: { contains: 'too many' } },
    ],
  },
  {
    is: 'a test of chainsaw',
    files: chainsaw,
    from: '.',
    notes: [
      'write: Deployment two contains expressions of chainsaw: left out',
      'write: script needs more than an API server: left out',
    ],
    scenarios: 1,
    expects: [
      undefined,
      undefined,
      undefined,
      'refused',
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ],
  },
  {
    is: 'an AdmissionReview',
    files: review,
    from: 'review.json',
    args: ['--load', 'bound'],
    notes: [completed('default/web')],
    scenarios: 1,
    expects: [{ outcome: 'refused', message: { contains: 'too many' } }],
  },
];

async function imported(folder: string, from: string, args: readonly string[] = []) {
  const lines: string[] = [];
  const io = { out: (text: string) => void lines.push(text), error: (text: string) => void lines.push(text) };
  const worlds = async (): Promise<ReturnType<typeof createWorlds>> =>
    createWorlds((error) => {
      throw error;
    });
  const paths = args.map((arg) => (arg.startsWith('--') ? arg : join(folder, arg)));
  const code = await importCommand.run([join(folder, from), '--out', join(folder, 'out'), '-o', 'json', ...paths], io, {
    createWorlds: worlds,
  });
  return { code, lines };
}

const written = (name: string, files: Readonly<Record<string, string>>): string => {
  const folder = join(root, name.replaceAll(' ', '-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

test.each(formats)(
  '$is becomes scenarios that pass, and says what it leaves out',
  async ({ is, files, from, args, notes, scenarios, expects }) => {
    const folder = written(is, files);
    const { code, lines } = await imported(folder, from, args);
    const { tests } = JSON.parse(lines[0] ?? '') as { tests: { notes: string[]; scenarios: { file: string }[] }[] };
    expect(tests.flatMap((one) => one.notes).toSorted()).toEqual(notes.toSorted());
    const all = tests.flatMap((one) => one.scenarios);
    expect(all).toHaveLength(scenarios);
    const steps = all.flatMap(
      ({ file }) => (parse(readFileSync(file, 'utf8')) as { steps: { expect?: unknown }[] }).steps,
    );
    expect(steps.map(({ expect: wanted }) => wanted)).toHaveLength(expects.length);
    expect(steps.map(({ expect: wanted }) => wanted)).toEqual(expect.arrayContaining([...expects]));
    expect({ code, failed: lines.filter((line) => line.startsWith('✗')) }).toEqual({ code: 0, failed: [] });
  },
);

/** A suite about Pods; the policy refuses containers, init containers and ephemeral containers of the image `bad`. */
const podSuite = (cases: readonly string[], validations?: string): Readonly<Record<string, string>> => ({
  'suite.yaml': JSON.stringify({
    apiVersion: 'test.gatekeeper.sh/v1alpha1',
    kind: 'Suite',
    tests: [
      {
        name: 'images',
        template: 'template.yaml',
        constraint: 'constraint.yaml',
        cases: cases.map((one) => ({
          name: one,
          object: `${one}.json`,
          assertions: [{ violations: one.startsWith('bad') ? 'yes' : 'no' }],
        })),
      },
    ],
  }),
  'template.yaml': JSON.stringify({
    apiVersion: 'templates.gatekeeper.sh/v1',
    kind: 'ConstraintTemplate',
    metadata: { name: 'images' },
    spec: {
      crd: { spec: { names: { kind: 'Images' } } },
      targets: [
        {
          target: 'admission.k8s.gatekeeper.sh',
          code: [
            {
              engine: 'K8sNativeValidation',
              source: {
                variables: [
                  { name: 'containers', expression: 'variables.anyObject.spec.containers' },
                  {
                    name: 'ephemeral',
                    expression:
                      'has(variables.anyObject.spec.ephemeralContainers) ? variables.anyObject.spec.ephemeralContainers : []',
                  },
                ],
                validations: [
                  {
                    expression: validations ?? "(variables.containers + variables.ephemeral).all(c, c.image != 'bad')",
                    message: 'the image is bad',
                  },
                ],
              },
            },
          ],
        },
      ],
    },
  }),
  'constraint.yaml': JSON.stringify({
    apiVersion: 'constraints.gatekeeper.sh/v1beta1',
    kind: 'Images',
    metadata: { name: 'all' },
    spec: { match: { kinds: [{ apiGroups: [''], kinds: ['Pod'] }] } },
  }),
});
const podOf = (name: string, image: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'app', image }], ...spec },
});
const updateOf = (oldObject: JsonObject, object: JsonObject): string =>
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { operation: 'UPDATE', object, oldObject },
  });
const debug = (image: string): JsonObject => ({ ephemeralContainers: [{ name: 'debug', image }] });

/** Cases of gator, with the steps that they become and what is left out. */
const podCases: readonly [
  fact: string,
  files: Readonly<Record<string, string>>,
  steps: readonly unknown[],
  notes: readonly string[],
][] = [
  [
    'an UPDATE: the difference is merged into what ServiceAccount admission filled in',
    {
      ...podSuite(['good', 'bad']),
      'good.json': updateOf(podOf('one', 'a'), podOf('one', 'b')),
      'bad.json': updateOf(podOf('two', 'a'), podOf('two', 'bad')),
    },
    [
      { patch: 'pod/one', json: [{ op: 'replace', path: '/spec/containers/0/image', value: 'b' }] },
      { patch: 'pod/two', json: [{ op: 'replace', path: '/spec/containers/0/image', value: 'bad' }] },
    ],
    [],
  ],
  [
    'an UPDATE that changes nothing',
    { ...podSuite(['good']), 'good.json': updateOf(podOf('one', 'a'), podOf('one', 'a')) },
    [{ patch: 'pod/one', json: [] }],
    [],
  ],
  [
    'ephemeral containers go through their subresource',
    {
      ...podSuite(['good', 'bad']),
      'good.json': JSON.stringify(podOf('one', 'a', debug('b'))),
      'bad.json': JSON.stringify(podOf('two', 'a', debug('bad'))),
    },
    [
      {
        patch: 'pod/one/ephemeralcontainers',
        json: [{ op: 'add', path: '/spec/ephemeralContainers', value: [{ name: 'debug', image: 'b' }] }],
      },
      {
        patch: 'pod/two/ephemeralcontainers',
        json: [{ op: 'add', path: '/spec/ephemeralContainers', value: [{ name: 'debug', image: 'bad' }] }],
      },
    ],
    [],
  ],
  [
    'ephemeral containers and a policy that decides otherwise about updates',
    {
      ...podSuite(['bad'], "request.operation == 'UPDATE' || variables.ephemeral.all(c, c.image != 'bad')"),
      'bad.json': JSON.stringify(podOf('two', 'a', debug('bad'))),
    },
    [],
    [
      'bad: an API server refuses its object: spec.ephemeralContainers: Forbidden: cannot be set on create, and the policy reads request.operation, so an update cannot replace the create: left out',
    ],
  ],
  [
    'objects that no API server accepts',
    {
      ...podSuite(['good', 'bad', 'bad update']),
      'good.json': JSON.stringify(podOf('one', 'a', { restartPolicy: 'Sometimes' })),
      'bad.json': JSON.stringify(
        podOf('two', 'a', { ephemeralContainers: [{ name: 'debug', image: 'bad', ports: [{ containerPort: 1 }] }] }),
      ),
      'bad update.json': updateOf(podOf('three', 'a'), podOf('three', 'a', { hostNetwork: true })),
    },
    [],
    [
      'good: an API server refuses its object: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never": left out',
      'bad: an API server refuses its object: spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container: left out',
      expect.stringMatching(
        /^bad update: an API server refuses its object: spec: Forbidden: pod updates may not change fields/,
      ),
    ],
  ],
  [
    'a policy that wants an empty field, which no API server stores (omitempty)',
    {
      ...podSuite(
        ['good', 'bad'],
        "(has(variables.anyObject.spec.hostNetwork) && !variables.anyObject.spec.hostNetwork) && variables.containers.all(c, c.image != 'bad')",
      ),
      'good.json': JSON.stringify(podOf('one', 'a', { hostNetwork: false, hostPID: false })),
      'bad.json': JSON.stringify(podOf('two', 'bad', { hostNetwork: false })),
    },
    [{ create: { metadata: { name: 'two' } } }],
    [
      'good: an API server does not store spec.hostNetwork: false, so its policies see another object than the test: left out',
    ],
  ],
  [
    'all cases need empty fields',
    {
      ...podSuite(['good'], 'variables.containers.all(c, has(c.args) && has(c.stdin))'),
      'good.json': JSON.stringify({
        ...podOf('one', 'a'),
        spec: { containers: [{ name: 'app', image: 'a', args: [], stdin: false }] },
      }),
    },
    [],
    [
      'good: an API server does not store spec.containers[0].args: [], spec.containers[0].stdin: false, so its policies see another object than the test: left out',
    ],
  ],
  [
    'a policy that reads the empty field and passes without it',
    {
      ...podSuite(['good'], '!has(variables.anyObject.spec.hostNetwork) || !variables.anyObject.spec.hostNetwork'),
      'good.json': JSON.stringify(podOf('one', 'a', { hostNetwork: false })),
    },
    [{ create: { spec: { hostNetwork: false } } }],
    [],
  ],
  [
    'a create under the name of what another case stores',
    {
      ...podSuite(['good update', 'bad']),
      'good update.json': updateOf(podOf('one', 'a'), podOf('one', 'b')),
      'bad.json': JSON.stringify(podOf('one', 'bad')),
    },
    [{ patch: 'pod/one' }, { create: { metadata: { name: 'one' } } }],
    [],
  ],
];

test.each(podCases)('a case of gator: %s', async (fact, files, steps, notes) => {
  const folder = written(fact.replaceAll(/[^a-z]+/gi, '-'), files);
  const { code, lines } = await imported(folder, 'suite.yaml');
  const { tests } = JSON.parse(lines[0] ?? '') as { tests: { notes: string[]; scenarios: { file: string }[] }[] };
  expect(tests.flatMap((one) => one.notes)).toEqual(notes);
  const made = tests
    .flatMap((one) => one.scenarios)
    .flatMap(({ file }) => (parse(readFileSync(file, 'utf8')) as { steps: unknown[] }).steps);
  expect(made).toHaveLength(steps.length);
  expect(made).toMatchObject(steps);
  expect(code).toBe(steps.length === 0 ? 1 : 0);
});

test('a case that fails for another reason than its empty fields is a failing scenario', async () => {
  const folder = written('another reason', {
    ...podSuite(['good'], "variables.containers.all(c, c.image == 'b')"),
    'good.json': JSON.stringify(podOf('one', 'a', { hostNetwork: false })),
  });
  const { code, lines } = await imported(folder, 'suite.yaml');
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain('1 of 1 scenarios do not pass');
});

test('tests are found in hidden folders, but not in .git and node_modules', async () => {
  const folder = written('hidden', {
    '.kyverno-test/kyverno-test.yaml': kyverno['kyverno-test.yaml'],
    '.git/kyverno-test.yaml': kyverno['kyverno-test.yaml'],
    'node_modules/kyverno-test.yaml': kyverno['kyverno-test.yaml'],
  });
  const found = importOf([folder]);
  expect(found.map(({ from }) => from)).toEqual([join(folder, '.kyverno-test/kyverno-test.yaml')]);
});

test('a policy that says something else makes the imported scenario fail', async () => {
  const folder = written('other policy', { ...kyverno, 'policy.yaml': limit(10) });
  expect((await imported(folder, 'kyverno-test.yaml')).code).toBe(1);
});

test.each([
  ['nothing there', {}, 'none.yaml', { wanted: 2, words: /none\.yaml: there is no such file or folder/ }],
  ['no test', { 'pod.yaml': deployment('a', 1) }, 'pod.yaml', { wanted: 2, words: /pod\.yaml: no known test in it/ }],
  ['broken', { 'a.yaml': 'a: [' }, 'a.yaml', { wanted: 2, words: /a\.yaml:1:/ }],
  [
    'Rego alone',
    { ...gator, 'template.yaml': template('rego: package teams') },
    'suite.yaml',
    { wanted: 1, words: /in Rego/ },
  ],
] as const)('%s: exit code and words', async (name, files, from, { wanted, words }) => {
  const { code, lines } = await imported(written(name, files), from);
  expect(code).toBe(wanted);
  expect(lines.join('\n')).toMatch(words);
});

test('the library returns the files', () => {
  const [one] = importOf([join(written('kyverno-test.yaml', kyverno), 'kyverno-test.yaml')]);
  expect(Object.keys(one?.scenarios[0]?.files ?? {})).toEqual(['scenario.yaml', 'policies.yaml']);
});

test('the example of docs/reference/import.md prints what stands there', async () => {
  const page = readFileSync('docs/reference/import.md', 'utf8');
  const files = [...page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)].map(
    ([, name = '', text = '']) => [name, text] as const,
  );
  const folder = written('docs', Object.fromEntries(files));
  const lines: string[] = [];
  const io = { out: (text: string) => void lines.push(text), error: (text: string) => void lines.push(text) };
  const createWorldsOf = async (): Promise<ReturnType<typeof createWorlds>> =>
    createWorlds((error) => {
      throw error;
    });
  await importCommand.run([join(folder, 'kyverno-test.yaml'), '--out', join(folder, 'scenario.yaml')], io, {
    createWorlds: createWorldsOf,
  });
  const [, output = ''] = /```text\n\$ [^\n]*\n([\s\S]*?)```/.exec(page) ?? [];
  const shown = lines
    .join('\n')
    .replaceAll(/[^ (]*\/docs\//g, '')
    .replaceAll(/\d+ ms/g, '24 ms')
    .replaceAll('docs (', 'replicas (')
    .replaceAll('✓ docs', '✓ replicas');
  expect(shown.trim()).toBe(output.trim());
});
