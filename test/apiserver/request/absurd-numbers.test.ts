import { expect, test } from 'vitest';
import { createImmediateClock } from '../../harness/virtual-clock.ts';
import { createTestWorld } from '../../harness/world.ts';

const namespace = '/api/v1/namespaces/default';

const limitRange = (amount: string): object => ({
  metadata: { name: 'a' },
  spec: {
    limits: [{ type: 'Container', min: { cpu: '1' }, max: { cpu: amount }, maxLimitRequestRatio: { cpu: amount } }],
  },
});

const kinds: readonly [resource: string, object: (amount: string) => object][] = [
  ['resourcequotas', (amount) => ({ metadata: { name: 'a' }, spec: { hard: { cpu: amount, pods: amount } } })],
  ['limitranges', limitRange],
  [
    'persistentvolumeclaims',
    (amount) => ({
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: amount } } },
    }),
  ],
  [
    'replicationcontrollers',
    (amount) => ({
      metadata: { name: 'a' },
      spec: {
        selector: { a: 'b' },
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: amount }, requests: { cpu: amount } } }],
          },
        },
      },
    }),
  ],
];

const amounts = [
  '1e999999999',
  '-1e999999999',
  '1.5e999999999',
  '1e-999999999',
  '0e999999999',
  '1e2147483648',
  `${'9'.repeat(9000)}e999999999`,
  '9'.repeat(1_000_000),
];

// No number of a gigabyte is made of them.
test.each(kinds)('quantities with absurd exponents in %s are no bug', async (resource, object) => {
  const world = await createTestWorld();
  for (const amount of amounts) {
    const { code } = await world.send('POST', `${namespace}/${resource}?dryRun=All`, object(amount));
    expect([201, 400, 422]).toContain(code);
  }
  expect(world.bugs).toEqual([]);
});

const beyond = '9007199254740993'; // 2^53 + 1: as a number it would be 9007199254740992.

test.each([
  `?resourceVersion=${beyond}`,
  `?resourceVersion=${beyond}&resourceVersionMatch=Exact`,
  `?resourceVersion=${beyond}&resourceVersionMatch=NotOlderThan`,
])('a list of configmaps%s names the revision in full', async (query) => {
  const world = await createTestWorld({ clock: createImmediateClock() });
  const { code, message } = await world.send('GET', `${namespace}/configmaps${query}`);
  expect([code, message]).toEqual([504, expect.stringContaining(`Too large resource version: ${beyond}, current: `)]);
});

test('a watch that begins with a later state names the revision in full', async () => {
  const world = await createTestWorld({ clock: createImmediateClock() });
  const query = `watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&resourceVersion=${beyond}`;
  const { watch } = await world.send('GET', `${namespace}/configmaps?${query}`);
  const seen: unknown[] = [];
  watch?.(
    (event) => seen.push(event),
    () => {},
  )();
  expect(seen).toMatchObject([{ type: 'ERROR', object: { message: expect.stringContaining(`version: ${beyond}, `) } }]);
});
