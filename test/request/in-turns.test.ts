import { expect, test } from 'vitest';
import type { Pause } from '../../src/apimachinery/pause.ts';
import { hostileBodies } from '../bench/hostile-bodies.mjs';
import { adminUser, createTestWorld } from '../harness/world.ts';
import type { WorldAnswer } from '../harness/world-answer.ts';

// Work that is left and begun again comes to what it comes to at once: no item twice, none forgotten.

const { cases, beforehand } = hostileBodies(6_000);
/** Of what takes two or three bytes there are many at a third of that; each is a turn, and every turn begins the work again. */
const dense = new Set(['a match condition, one list', 'empty objects']);
const fewer = Object.fromEntries(Object.entries(hostileBodies(2_000).cases).filter(([what]) => dense.has(what)));

const name = (at: number): string => `n${at}`;
const list = <T>(length: number, item: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_none, at) => item(at));
const pod = (spec: object) => ({
  method: 'POST',
  path: '/api/v1/namespaces/default/pods',
  type: 'application/json',
  body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec },
});
/** Without it no Pod is admitted. */
const account = {
  method: 'POST',
  path: '/api/v1/namespaces/default/serviceaccounts',
  type: 'application/json',
  body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
};
const env = list(100, (at) => ({ name: `E${at % 90}`, value: 'v' }));
const ports = list(100, (at) => ({ name: `p${at % 90}`, containerPort: 1 + (at % 80), hostPort: 1 + (at % 70) }));
const volumeMounts = list(100, (at) => ({ name: name(at % 95), mountPath: `/m${at % 85}` }));
const volumes = list(100, (at) => ({ name: name(at % 95), emptyDir: {} }));

/** Lists in lists, with texts that stand twice: what is seen in one round counts in the next, and only there. */
const nested = {
  'containers with long lists, some twice': [
    pod({
      containers: list(36, (at) => ({ name: name(at % 33), image: 'a', env, ports, volumeMounts })),
      initContainers: list(34, (at) => ({ name: name(at + 28), image: 'a', env, ports })),
      volumes,
    }),
  ],
  'short lists around a long one': [
    pod({
      containers: [{ name: 'a', image: 'a', env, ports: ports.slice(0, 3), volumeMounts: volumeMounts.slice(0, 3) }],
      initContainers: [{ name: 'b', image: 'a', env }],
      volumes: volumes.slice(0, 2),
      tolerations: list(2_000, (at) => ({ key: name(at), operator: 'Exists' })),
    }),
  ],
};

async function answersTo(
  requests: (typeof nested)[keyof typeof nested],
  pause?: Pause,
): Promise<readonly WorldAnswer[]> {
  const world = await createTestWorld({ authorizationMode: 'AlwaysAllow' });
  const answers: WorldAnswer[] = [];
  for (const { method, path, type, body } of [account, ...beforehand, ...requests])
    answers.push(
      await world.send(method, path, body, { as: adminUser, contentType: type, ...(pause ? { pause } : {}) }),
    );
  return answers;
}

/** Time flies: whoever looks at the clock has had it for too long. */
function alwaysLate(): Pause & { readonly pauses: () => number } {
  let now = 0;
  let pauses = 0;
  const pause = (): undefined => void (pauses += 1);
  return Object.assign(pause, { now: () => (now += 100), pauses: () => pauses });
}

const all = Object.entries({ ...cases, ...fewer, ...nested }).map(
  ([what, requests]) => [what, typeof requests === 'function' ? requests : () => requests] as const,
);

const patience = { timeout: 120_000 };

test.each(all)('%s: answered as if it were done at once', patience, async (_what, requests) => {
  const late = alwaysLate();
  expect(await answersTo(requests(), late)).toEqual(await answersTo(requests()));
  expect(late.pauses()).toBeGreaterThan(0);
});
