import { expect, test } from 'vitest';
import { orderCommand } from '../../../../src/app/cli/trials/order.ts';
import { idempotencyCommand } from '../../../../src/app/cli/trials/idempotency.ts';
import { createWorlds } from '../../../../src/app/in-process/worlds.ts';
import { temporaryFolder, writeObjects } from '../../../harness/temporary-folder.ts';

// A webhook without a backend is an error, not a result without findings: a pipeline would never notice.

const folder = temporaryFolder();
const file = (name: string, ...objects: readonly unknown[]): string => writeObjects(folder, name, ...objects);
const pod = file('pod.json', {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
});
const configuration = (name: string, failurePolicy: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.com`,
      clientConfig: { service: { namespace: 'system', name } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      failurePolicy,
    },
  ],
});

// No process listens on port 1.
const run = async (
  command: Pick<typeof idempotencyCommand, 'run'>,
  failurePolicy: string,
  called: readonly string[] = ['a', 'b'],
  flags: readonly string[] = [],
) => {
  const lines: string[] = [];
  const load = file(`${failurePolicy}.json`, configuration('a', failurePolicy), configuration('b', failurePolicy));
  const to = called.flatMap((name) => ['--to', `${name}.example.com=http://127.0.0.1:1/`]);
  const code = await command.run(
    ['--load', load, ...to, '-f', pod, ...flags],
    { out: (text) => void lines.push(text), error: (text) => void lines.push(text) },
    {
      createWorlds: (onBug) => Promise.resolve(createWorlds(onBug)),
    },
  );
  return { code, text: lines.join('\n') };
};

test.each(['Fail', 'Ignore'])(
  'idempotency reports a failed call, and fails: failurePolicy %s',
  async (failurePolicy) => {
    const { code, text } = await run(idempotencyCommand, failurePolicy);
    for (const name of ['a', 'b'])
      expect(text).toContain(
        `${name}/${name}.example.com could not be called: dial tcp 127.0.0.1:1: connect: connection`,
      );
    expect(code).toBe(1);
  },
);

test.each([
  ['order', orderCommand],
  ['idempotency', idempotencyCommand],
])('%s names a webhook without --to behind one that cannot be reached', async (_name, command) => {
  const { code, text } = await run(command, 'Fail', ['a']);
  expect(text).toContain('a/a.example.com could not be called');
  expect(text).toContain('1 of 2 mutating webhooks has no --to and was not called: b/b.example.com');
  expect(text).toContain('add --to b.example.com=URL');
  expect(code).toBe(2);
});

test.each(['Fail', 'Ignore'])('order reports a failed call, and no order dependence: %s', async (failurePolicy) => {
  const { code, text } = await run(orderCommand, failurePolicy);
  for (const name of ['a', 'b'])
    expect(text).toContain(
      `${name}/${name}.example.com could not be called: dial tcp 127.0.0.1:1: connect: connection`,
    );
  expect(text).not.toContain('it matters');
  expect(code).toBe(1);
});

test.each([
  ['order', orderCommand],
  ['idempotency', idempotencyCommand],
])('%s names the webhooks that have no --to, and exits with 2', async (name, command) => {
  const none = await run(command, 'Fail', []);
  expect(none.text.split('\n').slice(1)).toEqual([
    expect.stringMatching(
      name === 'order'
        ? /2 of 2 mutating webhooks have no --to and were not called: a\/a.example.com, b\/b.example.com$/
        : /: no mutating webhook called$/,
    ),
    ...(name === 'order'
      ? []
      : ['    2 of 2 mutating webhooks have no --to and were not called: a/a.example.com, b/b.example.com']),
    `kadmit ${name}: nothing is known of webhooks that were not called; add --to a.example.com=URL --to b.example.com=URL`,
  ]);
  expect(none.code).toBe(2);
  const one = await run(command, 'Ignore', ['a']);
  expect(one.text).toContain('1 of 2 mutating webhooks has no --to and was not called: b/b.example.com');
  expect(one.text).toContain('a/a.example.com could not be called');
  expect(one.code).toBe(2);
});

test.each([orderCommand, idempotencyCommand])('$name: the document names them too', async (command) => {
  const { code, text } = await run(command, 'Fail', [], ['-o', 'json']);
  const end = text.lastIndexOf('}') + 1;
  const document: unknown = JSON.parse(text.slice(0, end));
  expect(document).toMatchObject({ reports: [{ requests: [{ notCalled: ['a/a.example.com', 'b/b.example.com'] }] }] });
  expect(code).toBe(2);
});
