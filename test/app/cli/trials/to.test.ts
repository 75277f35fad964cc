import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trialWebhookNames, trialScenarios } from '../../../../src/analysis/trials/trial-scenarios.ts';
import { temporaryFolder } from '../../../harness/temporary-folder.ts';

// --to routes a webhook to a process: an unknown name would have no effect and must be an error.

const folder = temporaryFolder();
const file = (name: string, object: unknown): string => {
  writeFileSync(join(folder, name), JSON.stringify(object));
  return join(folder, name);
};
const configuration = file('configuration.json', {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'label' },
  webhooks: [{ name: 'label.example.com' }],
});
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [] } };
const pods = file('pod.json', pod);
const scenario = file('scenario.yaml', {
  webhooks: [{ name: 'stub.example.com', type: 'mutating', rules: 'pods' }],
  steps: [{ create: pod }],
});
const url = 'http://127.0.0.1:1/mutate';

test('a webhook of --load is led to a process', async () => {
  const [one] = await trialScenarios([pods], { load: [configuration], to: [`label.example.com=${url}`] });
  expect(one).toMatchObject({ clock: 'real', webhooks: [{ name: 'label.example.com', to: url }] });
});

test('--to replaces a stub with a process', async () => {
  const [one] = await trialScenarios([scenario], { load: [], to: [`stub.example.com=${url}`] });
  expect(one).toMatchObject({ clock: 'real', webhooks: [{ to: url }] });
  expect(one && trialWebhookNames(one)).toEqual(['stub.example.com']);
});

test.each([
  [
    [pods],
    [configuration],
    'label.example.co',
    /there is no webhook "label\.example\.co"; did you mean "label\.example\.com"\?/,
  ],
  [[scenario], [], 'label.example.com', /there is no webhook "label\.example\.com"/],
] as const)('of %j with %j, %s is not known', async (paths, load, name, words) => {
  await expect(trialScenarios(paths, { load, to: [`${name}=${url}`] })).rejects.toThrow(words);
});
