import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayScenario } from '../../../src/analysis/trials/trial-scenarios.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';

const folder = temporaryFolder();
const webhook = (name: string): object => ({
  name,
  clientConfig: { url: 'https://a/' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
});
const set = join(folder, 'set.json');
writeFileSync(
  set,
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'a' },
    webhooks: ['a.example.com', 'b.example.com', 'c.example.com'].map(webhook),
  }),
);

const clockAndDelays = (takes: readonly string[], to: readonly string[] = []): unknown => {
  const { clock, webhooks } = replayScenario({ load: [set], to, takes });
  return [clock, ...webhooks.map((one) => `${one.name} ${one.to ?? JSON.stringify(one.faults)}`)];
};
const delay = (milliseconds: number): string =>
  `[{"what":{"type":"delay","delay":{"type":"fixed","milliseconds":${milliseconds}}}}]`;

test('how long webhooks take is what is said of each, else of all; those that listen take what they take', () => {
  expect(clockAndDelays([])).toEqual(['virtual']);
  expect(clockAndDelays(['a.example.com=1.5s'])).toEqual(['virtual', `a.example.com ${delay(1500)}`]);
  expect(clockAndDelays(['*=1s', 'b.example.com=2ms'], ['c.example.com=http://127.0.0.1:1/'])).toEqual([
    'real',
    'c.example.com http://127.0.0.1:1/',
    `a.example.com ${delay(1000)}`,
    `b.example.com ${delay(2)}`,
  ]);
});

test.each([
  ['a.example.com', /--takes a.example.com: give one such as hook.example.com=200ms/],
  ['a.example.com=soon', /give one such as/],
  ['a.example.com=-1s', /give one such as/],
  ['a.exampel.com=1s', /there is no webhook "a.exampel.com"; did you mean "?a.example.com/],
])('--takes %s is refused', (text, problem) => {
  expect(() => replayScenario({ load: [set], to: [], takes: [text] })).toThrow(problem);
});
