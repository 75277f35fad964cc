import { expect, test } from 'vitest';
import { sortForLoading, type PlacedManifest, readManifests } from '../../src/controllers/manifest.ts';
import { readYamlBody } from '../../src/adapters/http/body-formats.ts';

const read = (text: string): ReturnType<typeof readManifests> => readManifests({ path: 'f.yaml', text }, readYamlBody);

const named = (kind: string, name: string, apiVersion = 'v1'): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n`;

const short = ({ place, kind, namespace, name }: PlacedManifest): string =>
  [place, kind.group, kind.version, kind.kind, namespace, name].join(' | ');

// What kubectl create -f makes of such files: cli-runtime pkg/resource/visitor.go, apimachinery pkg/util/yaml/decoder.go.
test.each([
  ['one document', named('Pod', 'a'), ['f.yaml, document 1 |  | v1 | Pod |  | a']],
  [
    'several',
    `${named('Pod', 'a')}---\n${named('Deployment', 'b', 'apps/v1')}`,
    ['f.yaml, document 1 |  | v1 | Pod |  | a', 'f.yaml, document 2 | apps | v1 | Deployment |  | b'],
  ],
  [
    'empty ones between them, and comments',
    `# first\n---\n---\n${named('Pod', 'a')}--- # more\n# last\n`,
    ['f.yaml, document 3 |  | v1 | Pod |  | a'],
  ],
  [
    'dashes inside a text are no border',
    `${named('Pod', 'a')}data: |\n  ---\n  x\n`,
    ['f.yaml, document 1 |  | v1 | Pod |  | a'],
  ],
  [
    'the items of a List',
    'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a, namespace: team}}\n',
    ['f.yaml, document 1, item 1 |  | v1 | Pod | team | a'],
  ],
  [
    'the items of a PodList, which need not say what they are',
    'apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n',
    ['f.yaml, document 1, item 1 |  | v1 | Pod |  | a', 'f.yaml, document 1, item 2 |  | v1 | Pod |  | b'],
  ],
  [
    'JSON',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"generateName":"a-"}}',
    ['f.yaml, document 1 |  | v1 | Pod |  | '],
  ],
  ['nothing', '', []],
])('reads %s', async (_sentence, text, manifests) => {
  const reading = await read(text);
  expect(reading.outcome === 'read' ? reading.manifests.map(short) : reading.error).toEqual(manifests);
});

test.each([
  ['a text', 'hello', 'f.yaml, document 1: an object is expected'],
  ['an object without a version', `${named('Pod', 'a')}---\nkind: Pod\n`, 'f.yaml, document 2: apiVersion not set'],
  ['or a kind', 'apiVersion: v1\n', 'f.yaml, document 1: kind not set'],
  [
    'an item that is none',
    'apiVersion: v1\nkind: List\nitems: [1]\n',
    'f.yaml, document 1: item 1: an object is expected',
  ],
  ['broken YAML', 'a: [', expect.stringMatching(/^f\.yaml, document 1: yaml: /)],
])('refuses %s', async (_sentence, text, error) => {
  expect(await read(text)).toEqual({ outcome: 'unreadable', error });
});

test('namespaces come first and webhook configurations last, the others as they stand', async () => {
  const admission = 'admissionregistration.k8s.io/v1';
  const reading = await read(
    [
      named('ValidatingWebhookConfiguration', 'v', admission),
      named('Pod', 'b'),
      named('ValidatingAdmissionPolicy', 'p', admission),
      named('Namespace', 'team'),
      named('MutatingWebhookConfiguration', 'm', admission),
      named('Pod', 'a'),
    ].join('---\n'),
  );
  const names = reading.outcome === 'read' ? sortForLoading(reading.manifests).map(({ name }) => name) : [];
  expect(names).toEqual(['team', 'b', 'p', 'a', 'v', 'm']);
});
