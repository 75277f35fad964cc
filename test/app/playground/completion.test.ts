import { expect, test } from 'vitest';
import { defaultRelease } from '../../../src/api/release/load-release.ts';
import { answerQuestion } from '../../../src/app/playground/completion.ts';
import type { CompletionItem, PlaygroundTab } from '../../../src/app/playground/protocol.ts';

const { types } = defaultRelease;

/** `|` in the text is the offset. */
function answerTo(type: 'complete' | 'describe', tab: PlaygroundTab, marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  const texts = { release: '1.37', compareWith: '', objects: '', webhooks: '', requests: '', [tab]: text };
  return answerQuestion({ type, question: 1, tab, offset, texts }, types);
}

function labels(tab: PlaygroundTab, marked: string): readonly string[] {
  const answer = answerTo('complete', tab, marked);
  return answer.type === 'completions' ? answer.items.map(({ label }) => label) : [];
}

const pod = 'apiVersion: v1\nkind: Pod\n';
const policy = 'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n';

test.each<[string, PlaygroundTab, string, readonly string[]]>([
  ['the first keys of an object', 'objects', '|', ['apiVersion', 'kind', 'metadata']],
  [
    'the kinds of a version',
    'objects',
    'apiVersion: storagemigration.k8s.io/v1beta1\nkind: |',
    ['StorageVersionMigration'],
  ],
  ['the remaining fields of a kind', 'objects', `${pod}|`, ['metadata', 'spec', 'status']],
  ['an enum', 'objects', `${pod}spec:\n  restartPolicy: |`, ['Always', 'Never', 'OnFailure']],
  ['a boolean', 'objects', `${pod}spec: { hostNetwork: |`, ['true', 'false']],
  [
    'an enum in a flow list',
    'objects',
    `${policy}spec:\n  validationActions: x\n  failurePolicy: |`,
    ['Fail', 'Ignore'],
  ],
  ['labels have any key', 'objects', `${pod}metadata:\n  labels:\n    |`, []],
  ['an unknown kind has no fields', 'objects', 'apiVersion: x/v1\nkind: Y\nspec:\n  |', []],
  [
    'the kind of the same document',
    'objects',
    `${pod}---\napiVersion: v1\nkind: Namespace\n|`,
    ['metadata', 'spec', 'status'],
  ],
  ['what a stub does', 'webhooks', '- name: a\n  does: |', ['allow', 'deny', 'echo']],
  ['the verdict of a step', 'requests', '- create: {}\n  expect: |', ['admitted', 'refused']],
  [
    'an object within a step',
    'requests',
    '- create:\n    apiVersion: v1\n    kind: Namespace\n    |',
    ['metadata', 'spec', 'status'],
  ],
  [
    'the kind of a step',
    'requests',
    '- create: { apiVersion: v1, kind: Pod }\n- create:\n    apiVersion: storagemigration.k8s.io/v1beta1\n    kind: |',
    ['StorageVersionMigration'],
  ],
])('%s', (_, tab, text, items) => {
  expect(labels(tab, text)).toEqual(items);
});

test.each<[string, PlaygroundTab, string, readonly string[]]>([
  [
    'fields of a container',
    'objects',
    `${pod}spec:\n  containers:\n    - name: a\n      |`,
    ['image', 'imagePullPolicy'],
  ],
  [
    'fields of rules',
    'objects',
    `${policy}spec:\n  matchConstraints:\n    resourceRules: [{ |`,
    ['operations', 'resources'],
  ],
  ['fields of a stub', 'webhooks', '- |', ['name', 'does', 'faults', 'failurePolicy']],
  ['faults', 'webhooks', '- name: a\n  faults:\n    |', ['delay', 'status', 'calls']],
  ['fields of a step', 'requests', '- |', ['create', 'as', 'dryRun', 'expect']],
  ['fields of an expectation', 'requests', '- create: {}\n  expect:\n    |', ['deniedBy', 'webhooks', 'message']],
])('%s are among the words', (_, tab, text, items) => {
  expect(labels(tab, text)).toEqual(expect.arrayContaining([...items]));
});

test.each<[string, PlaygroundTab, string, Partial<CompletionItem>]>([
  [
    'a field',
    'objects',
    `${pod}spec:\n  cont|ainers: []`,
    { label: 'containers', type: '[]v1.Container', isRequired: true },
  ],
  [
    'a field with an enum',
    'objects',
    `${pod}spec:\n  dnsPol|icy: x`,
    { description: 'One of ClusterFirst, ClusterFirstWithHostNet, Default, None' },
  ],
  ['a field of a step', 'requests', '- dry|Run: true', { type: 'boolean' }],
  ['a value', 'requests', '- create: {}\n  expect: ref|used', { label: 'refused', kind: 'value' }],
])('a description of %s', (_, tab, text, item) => {
  const answer = answerTo('describe', tab, text);
  expect(answer).toMatchObject({ type: 'description', item });
});

test.each(['metadata:\n  name: we|b', '# spe|c', 'spec: |c'])('no description of %s', (text) => {
  expect(answerTo('describe', 'objects', `${pod}${text}`)).toMatchObject({ item: undefined });
});
