import { expect, test } from 'vitest';
import { createPageFiles, refuseScripts } from '../../../src/app/playground/page-scripts.ts';
import type { PlaygroundTexts } from '../../../src/app/playground/protocol.ts';
import { runTexts } from '../../../src/app/playground/run-texts.ts';

const createPod = `- create:
    apiVersion: v1
    kind: Pod
    metadata: { name: web }
    spec: { containers: [{ name: web, image: nginx }] }
`;

const run = async (texts: Partial<PlaygroundTexts>) => {
  const none = { release: '1.37', compareWith: '', objects: '', webhooks: '', requests: createPod };
  const result = await runTexts(
    { ...none, ...texts },
    {
      files: createPageFiles(refuseScripts),
      isStale: () => false,
      onBug: (error) => {
        throw error;
      },
    },
  );
  if (!result) throw new Error('the run ended early');
  return result;
};

// A link may hold any texts.
test.each<[string, Partial<PlaygroundTexts>, RegExp]>([
  ['an unknown release', { release: '1.99' }, /1\.99/],
  ['an unknown release to compare with', { compareWith: '1.99' }, /^compare with: 1\.99 is not a supported release/],
  ['too many requests', { requests: createPod.repeat(201) }, /^there are more than 200 requests$/],
  ['too much text', { objects: ' '.repeat(3 * 1024 * 1024) }, /^the texts are longer than 3 MiB$/],
])('%s is a problem and no answer', async (_, texts, message) => {
  const { problems, answers } = await run(texts);
  expect(answers).toEqual([]);
  expect(problems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)]);
});

test('the first 200 problems are shown, and how many more there are', async () => {
  const { problems } = await run({ requests: '- { unknown: 1 }\n'.repeat(700) });
  expect(problems).toHaveLength(201);
  expect(problems.at(-1)?.message).toMatch(/^\d+ more problems are not shown$/);
});

test('each refused object has its problem at its own place', async () => {
  const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\n`;
  const objects = [configMap('A'), configMap('fine'), configMap('B')].join('---\n');
  const { problems, answers } = await run({ objects });
  expect(problems.map(({ code, from }) => [code, objects.slice(from, from + 7)])).toEqual([
    ['refused', 'name: A'],
    ['refused', 'name: B'],
  ]);
  expect(answers.map(({ code }) => code)).toEqual([201]);
});

test('a webhook without a stub fails, and its error names the tab for stubs', async () => {
  const objects = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: pods }
webhooks:
  - name: pods.example.com
    clientConfig: { service: { namespace: shop, name: hooks } }
    rules: [{ operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods] }]
    sideEffects: None
    admissionReviewVersions: [v1]
`;
  const { answers } = await run({ objects });
  expect(answers.map(({ printed }) => printed)).toEqual([expect.stringContaining('add it in the tab Stub webhooks')]);
});
