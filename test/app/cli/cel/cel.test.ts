import { expect, test } from 'vitest';
import { run } from '../../../../src/app/cli/run.ts';
import { readYamlBody } from '../../../../src/adapters/http/body-formats.ts';
import { temporaryFolder, writeIn } from '../../../harness/temporary-folder.ts';

const folder = temporaryFolder();

const file = (name: string, text: string): string => writeIn(folder, name, text);

const pod = file(
  'pod.yaml',
  `apiVersion: v1
kind: Pod
metadata: {name: web, namespace: prod, labels: {run: "no"}}
spec: {replicas: 3, big: 9007199254740993, containers: [{image: reg/a}, {image: other/b}]}
`,
);
const review = file(
  'review.json',
  JSON.stringify({
    kind: 'AdmissionReview',
    request: { uid: 'u', operation: 'UPDATE', subResource: '', object: { a: 1 }, oldObject: { a: 2 } },
  }),
);
const params = file('params.json', '{"limit": 3}');
const openAPIV3Schema = {
  type: 'object',
  properties: { spec: { type: 'object', properties: { replicas: { type: 'integer' } } } },
};
const schema = file('schema.json', JSON.stringify(openAPIV3Schema));
const definition = file(
  'crd.json',
  JSON.stringify({
    kind: 'CustomResourceDefinition',
    spec: { versions: [{ name: 'v1' }, { name: 'v2', storage: true, schema: { openAPIV3Schema } }] },
  }),
);
const broken = file('broken.yaml', 'a: [1\nb: }');
const cases = file(
  'cases.json',
  JSON.stringify({
    fixtures: { pod: { object: { big: 1 } } },
    cases: [
      { name: 'one', context: 'admission', expression: 'object.big + 1', vars: { object: { $fixture: 'pod.object' } } },
      { name: 'two', context: 'matchCondition', expression: '1', returns: 'bool', vars: {} },
      {
        name: 'three',
        context: 'admission',
        expression: 'variables.a.b',
        vars: { variables: [{ name: 'a', expression: '{"c": 1}' }] },
      },
    ],
  }),
);

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

async function cel(...args: readonly string[]): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const io = { out: (text: string) => void out.push(text), error: (text: string) => void error.push(text) };
  const exitCode = await run(['cel', ...args], io, {
    startApiserver: () => Promise.reject(new Error('not asked for')),
    startOwnServer: () => Promise.reject(new Error('no server')),
    runCommand: () => Promise.reject(new Error('no commands')),
    openTraces: () => Promise.reject(new Error('no page')),
    createWorlds: () => Promise.reject(new Error('no scenarios')),
    runningPlugins: () => Promise.reject(new Error('not asked for')),
    admissionPlugins: () => Promise.reject(new Error('not asked for')),
    readYaml: readYamlBody,
  });
  return { exitCode, out: out.join('\n'), error: error.join('\n') };
}

const json = ['-o', 'json'] as const;
const fine = (out: object | string): Ran => ({
  exitCode: 0,
  out: typeof out === 'string' ? out : JSON.stringify(out),
  error: '',
});

const facts: readonly [fact: string, args: readonly string[], ran: Partial<Ran>][] = [
  ['value, type and cost', ['1 + 1'], fine('value  2\ntype   int\ncost   1')],
  ['the same as JSON', ['1 + 1', ...json], fine({ value: 2, type: 'int', cost: 1 })],
  [
    'integers beyond 2^53 stay what they are',
    ['object.spec.big', '--object', pod, ...json],
    fine('{"value":9007199254740993,"type":"dyn","cost":3}'),
  ],
  [
    'a duration as Go prints it',
    ["duration('1h30m')", ...json],
    fine({ value: '1h30m0s', type: 'google.protobuf.Duration', cost: 0 }),
  ],
  [
    'short durations too',
    ["duration('1500us')", ...json],
    fine({ value: '1.5ms', type: 'google.protobuf.Duration', cost: 0 }),
  ],
  [
    'a quantity in its canonical form',
    ["quantity('1.5Gi')", ...json],
    fine({ value: '1536Mi', type: 'kubernetes.Quantity', cost: 1 }),
  ],
  ['an optional', ['optional.of(1)', ...json], fine({ value: { optional: 1 }, type: 'optional_type(int)', cost: 1 })],
  ['bytes in base64', ["b'ab'", ...json], fine({ value: 'YWI=', type: 'bytes', cost: 0 })],
  ['what JSON has no number for', ['1.0 / 0.0', ...json], fine({ value: 'Infinity', type: 'double', cost: 1 })],
  [
    'a request is made of the objects',
    ["request.operation + ' ' + request.resource.resource + ' ' + request.namespace", '--object', pod, ...json],
    { exitCode: 0, out: expect.stringContaining('"CREATE pods prod"') },
  ],
  [
    'an AdmissionReview brings everything along',
    [
      '[string(object.a), string(oldObject.a), request.operation, string(has(request.subResource))]',
      '--request',
      review,
    ],
    { exitCode: 0, out: expect.stringContaining('["1","2","UPDATE","false"]') },
  ],
  [
    'params belong to policies',
    ['params.limit', '--params', params, '--context', 'validation', ...json],
    fine({ value: 3, type: 'dyn', cost: 2 }),
  ],
  ['so elsewhere they are bad usage', ['1', '--params', params], { exitCode: 2, out: '' }],
  [
    'rules of custom resources see self',
    ['self.spec.replicas >= oldSelf.spec.replicas', '--context', 'crd', '--object', pod, '--old-object', pod],
    { exitCode: 0, out: expect.stringContaining('value  true') },
  ],
  [
    'with their schema, self has a type',
    ['self.spec.replicas == "x"', '--context', 'crd', '--object', pod, '--schema', schema],
    {
      exitCode: 1,
      out: '',
      error: expect.stringContaining("found no matching overload for '_==_' applied to '(int, string)'"),
    },
  ],
  [
    'the schema may stand in a CustomResourceDefinition',
    ['self.spec.replicas > 1', '--context', 'crd', '--object', pod, '--schema', definition],
    fine('value  true\ntype   bool\ncost   4, at most 4'),
  ],
  ['a schema needs the context', ['1', '--schema', schema], { exitCode: 2 }],
  [
    'a failed evaluation',
    ['object.nope', '--object', pod],
    { exitCode: 1, out: 'error  no such key: nope\ntype   dyn\ncost   2' },
  ],
  [
    'the same as JSON',
    ['object.nope', '--object', pod, ...json],
    { exitCode: 1, out: '{"type":"dyn","cost":2,"error":"no such key: nope"}' },
  ],
  [
    'a compile error as the server prints it',
    ['nope == 1'],
    {
      exitCode: 1,
      out: '',
      error:
        "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope == 1\n | ^",
    },
  ],
  [
    'a match condition must be bool',
    ['1 + 1', '--context', 'matchConditions', ...json],
    { exitCode: 1, out: '{"error":"must evaluate to bool but got int"}' },
  ],
  ['an expression that begins with a dash', [...json, '--', '-1 + 2'], fine({ value: 1, type: 'int', cost: 1 })],
  ['no expression', [], { exitCode: 2, error: 'kadmit cel: EXPRESSION is required' }],
  [
    'two expressions',
    ['1', '+1'],
    { exitCode: 2, error: expect.stringContaining('unexpected argument "+1"; quote the expression') },
  ],
  ['standard input twice', ['1', '--object', '-', '--request=-'], { exitCode: 2 }],
  [
    'a file that is not there',
    ['1', '--object', '/no/such'],
    { exitCode: 2, error: expect.stringMatching(/--object: \/no\/such cannot be read/) },
  ],
  [
    'a file that cannot be read',
    ['1', '--object', broken],
    { exitCode: 2, error: expect.stringContaining('neither JSON nor YAML') },
  ],
  ['an unknown context', ['1', '--context', 'crds'], { exitCode: 2 }],
  ['help', ['--help'], { exitCode: 0, out: expect.stringContaining('--namespace-object FILE') }],
  [
    'a list of cases, one result a line',
    ['--cases', cases],
    fine(
      [
        { name: 'one', value: 2, type: 'int', cost: 3 },
        { name: 'two', error: 'must evaluate to bool but got int' },
        { name: 'three', type: 'int', cost: 3, error: 'no such key: b' },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    ),
  ],
  ['cases bring their own expressions', ['1', '--cases', cases], { exitCode: 2 }],
];

test.each(facts)('%s', async (_fact, args, ran) => {
  expect(await cel(...args)).toMatchObject(ran);
});

const trees: readonly [fact: string, expression: string, tree: readonly string[]][] = [
  [
    'every part that is no literal, as it was written',
    "object.metadata.labels['run']  ==  'yes' || (1 + object.spec.replicas) * 2 > 3",
    [
      "object.metadata.labels['run'] == 'yes' || (1 + object.spec.replicas) * 2 > 3  =>  true",
      "  object.metadata.labels['run'] == 'yes'  =>  false",
      `    object.metadata.labels['run']  =>  "no"`,
      '  (1 + object.spec.replicas) * 2 > 3  =>  true',
      '    (1 + object.spec.replicas) * 2  =>  8',
      '      1 + object.spec.replicas  =>  4',
      '        object.spec.replicas  =>  3',
    ],
  ],
  [
    'each round of a loop',
    "object.spec.containers.all(c, c.image.startsWith('reg/'))",
    [
      "object.spec.containers.all(c, c.image.startsWith('reg/'))  =>  false",
      '  object.spec.containers  =>  [{"image":"reg/a"},{"image":"other/b"}]',
      "  c.image.startsWith('reg/')  =>  true, false",
      '    c.image  =>  "reg/a", "other/b"',
    ],
  ],
  [
    'a loop in a loop',
    'object.spec.containers.map(c, [1, 2].filter(n, size(c.image) > n)).size()',
    [
      'object.spec.containers.map(c, [1, 2].filter(n, size(c.image) > n)).size()  =>  2',
      '  object.spec.containers.map(c, [1, 2].filter(n, size(c.image) > n))  =>  [[1,2],[1,2]]',
      '    object.spec.containers  =>  [{"image":"reg/a"},{"image":"other/b"}]',
      '    [1, 2].filter(n, size(c.image) > n)  =>  [1,2], [1,2]',
      '      size(c.image) > n  =>  true, true, true, true',
      '        size(c.image)  =>  5, 5, 7, 7',
      '          c.image  =>  "reg/a", "reg/a", "other/b", "other/b"',
      '        n  =>  1, 2, 1, 2',
    ],
  ],
  [
    'where a path failed, and what was not reached',
    'has(object.spec.x) && object.y > 1 ? true : object.spec.nope.deep',
    [
      'has(object.spec.x) && object.y > 1 ? true : object.spec.nope.deep  =>  error: no such key: nope',
      '  has(object.spec.x) && object.y > 1  =>  false',
      '    has(object.spec.x)  =>  false',
      '      object.spec  =>  {"replicas":3,"big":9007199254740993,"containers":[{"image":"reg/a"},{"image":"o…',
      '    object.y > 1  =>  not evaluated',
      '  object.spec.nope.deep  =>  error: no such key: nope',
      '    object.spec.nope  =>  error: no such key: nope',
      '      object.spec  =>  {"replicas":3,"big":9007199254740993,"containers":[{"image":"reg/a"},{"image":"o…',
    ],
  ],
  [
    'functions, structures and optionals',
    "ip.isCanonical(object.?addr.orValue('::1')) && {'a': object.spec.replicas}.a in [3]",
    [
      "ip.isCanonical(object.?addr.orValue('::1')) && {'a': object.spec.replicas}.a in [3]  =>  true",
      "  ip.isCanonical(object.?addr.orValue('::1'))  =>  true",
      '    object.?addr.orValue(\'::1\')  =>  "::1"',
      '      object.?addr  =>  {"optional":"none"}',
      "  {'a': object.spec.replicas}.a in [3]  =>  true",
      "    {'a': object.spec.replicas}.a  =>  3",
    ],
  ],
];

test.each(trees)('--explain shows %s', async (_fact, expression, tree) => {
  const { out } = await cel(expression, '--object', pod, '--explain');
  expect(out.split('\n\n')[0]?.split('\n')).toEqual(tree);
});
