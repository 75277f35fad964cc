import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  splitDocuments,
  fromScenario,
  toScenario,
  withExpectations,
} from '../../../src/ui/playground/scenario-file.ts';
import { listItems } from '../../../src/ui/playground/list-items.ts';
import { someTrace } from '../some-trace.ts';
import { someAnswer } from './some-answer.ts';

const texts = {
  release: '1.36',
  compareWith: '',
  objects: `# the first
apiVersion: v1
kind: ConfigMap
data:
  text: |
    one

    # no comment
---
# nothing but a comment
--- # the third
  apiVersion: v1
  kind: Namespace
`,
  webhooks: '\n# of a configuration\n- name: a.example.com\n\n  does: allow\n',
  requests: '- delete: configmap/a\n',
};

test('a scenario has the release, the objects, the webhooks and the steps, with their comments', () => {
  expect(toScenario(texts, [])).toBe(`name: from the playground
server: { kubernetesVersion: '1.36' }
load:
  # the first
  - apiVersion: v1
    kind: ConfigMap
    data:
      text: |
        one

        # no comment
  - apiVersion: v1
    kind: Namespace
webhooks:
  # of a configuration
  - name: a.example.com

    does: allow
steps:
  - delete: configmap/a
`);
});

test('empty parts are omitted', () => {
  expect(parse(toScenario({ ...texts, objects: '---\n', webhooks: '# none\n' }, []))).toEqual({
    name: 'from the playground',
    server: { kubernetesVersion: '1.36' },
    steps: [{ delete: 'configmap/a' }],
  });
});

test.each([
  ['apiVersion: rbac.authorization.k8s.io/v1', true],
  ['{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding }', true],
  ['apiVersion: "rbac.authorization.k8s.io/v1"', true],
  ['# apiVersion: rbac.authorization.k8s.io/v1', false],
  ['apiGroup: rbac.authorization.k8s.io', false],
])('objects with %s: do roles decide?', (objects, isRbac) => {
  const server: unknown = parse(toScenario({ ...texts, objects }, [])).server;
  expect(server).toEqual({ kubernetesVersion: '1.36', ...(isRbac ? { authorizationMode: 'RBAC' } : {}) });
});

test('documents are separated as kubectl separates them', () => {
  expect(splitDocuments('a: "---"\n---\n---\nb: |\n  ---\n--- # c\nc: 1\n----').length).toBe(3);
});

const folder = 'docs/playground/examples';
const examples = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

test.each(examples)('the example %s is the same after parsing and rendering', (file) => {
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  const { title, about, texts: parts } = fromScenario(text, '1.37');
  const { name: _name, server, ...content } = parse(text);
  const { name: _other, server: made, ...result } = parse(toScenario(parts, []));
  expect(result).toEqual(content);
  expect(made).toEqual({ kubernetesVersion: '1.37', ...server });
  expect([title, about]).not.toContain('');
});

test('the release to compare with is in a comment', () => {
  const { texts: parts } = fromScenario('# compare with: 1.35\nsteps:\n  - delete: pod/a\n', '1.37');
  expect(parts).toEqual({
    release: '1.37',
    compareWith: '1.35',
    objects: '',
    webhooks: '',
    requests: '- delete: pod/a\n',
  });
});

test('comments between objects stay before the next one', () => {
  const file = 'load:\n  # one\n  - kind: A\n\n  # two\n  -\n    kind: B\nsteps: []\n';
  expect(fromScenario(file, '1.37').texts.objects).toBe('# one\nkind: A\n---\n# two\nkind: B\n');
});

const refused = (message: string) =>
  someAnswer({ code: 403, trace: someTrace({ response: { code: 403, status: { message }, warnings: [] } }) });

/** Each step with its answer. */
const expecting = (requests: string, ...answers: readonly ReturnType<typeof someAnswer>[]): string => {
  const items = listItems(requests);
  return withExpectations(
    requests,
    answers.map((answer, at) => ({ ...answer, from: (items[at]?.from ?? 0) + 2 })),
  );
};

test.each<[string, string, readonly ReturnType<typeof someAnswer>[], string]>([
  ['block style', '- create:\n    kind: Pod\n', [someAnswer()], '- create:\n    kind: Pod\n  expect: admitted\n'],
  ['a dash of its own', '-\n  delete: pod/web', [someAnswer()], '-\n  delete: pod/web\n  expect: admitted'],
  ['an indented list', '  - delete: pod/web', [someAnswer()], '  - delete: pod/web\n    expect: admitted'],
  ['flow style', '- { delete: pod/web }', [someAnswer()], '- { delete: pod/web, expect: admitted }'],
  [
    'a refusal',
    '- delete: pod/web',
    [refused('no: "never"')],
    '- delete: pod/web\n  expect: { code: 403, message: "no: \\"never\\"" }',
  ],
  [
    'a message that would be a pattern',
    '- delete: pod/web',
    [refused('/x/')],
    '- delete: pod/web\n  expect: { code: 403, message: { contains: "/x/" } }',
  ],
  [
    'a refusal without a message',
    '- delete: pod/web',
    [someAnswer({ code: 404 })],
    '- delete: pod/web\n  expect: { code: 404 }',
  ],
  [
    'an expectation of its own',
    '- delete: pod/web\n  expect: refused',
    [someAnswer()],
    '- delete: pod/web\n  expect: refused',
  ],
  [
    'rows',
    '- create: { kind: Pod }\n  denied: [{ a: b }]',
    [someAnswer()],
    '- create: { kind: Pod }\n  denied: [{ a: b }]',
  ],
  ['a step that writes nothing', '- advance: 30s', [someAnswer()], '- advance: 30s'],
  [
    'a field of the object with that name',
    '- create:\n    expect: x',
    [someAnswer()],
    '- create:\n    expect: x\n  expect: admitted',
  ],
  ['a step that did not run', '- delete: pod/web', [], '- delete: pod/web'],
  [
    'several steps and comments',
    '# one\n- delete: pod/a\n\n# two\n- delete: pod/b # really\n',
    [someAnswer(), refused('no')],
    '# one\n- delete: pod/a\n  expect: admitted\n\n# two\n- delete: pod/b # really\n  expect: { code: 403, message: "no" }\n',
  ],
])('%s', (_, requests, answers, result) => {
  expect(expecting(requests, ...answers)).toBe(result);
});
