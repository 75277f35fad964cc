import { expect, test } from 'vitest';
import { createStubRegistry, type StubRegistry } from '../../../src/testing/stubs/stub-registry.ts';
import { drawDelay, type StubPlan } from '../../../src/testing/stubs/plan-response.ts';
import { createSeededRandom } from '../../../src/testing/stubs/seeded-random.ts';
import type { Delay, Fault, WebhookSpec } from '../../../src/testing/stubs/webhook-spec.ts';

const spec = (name: string, configuration?: string, faults: readonly Fault[] = []): WebhookSpec => ({
  name,
  does: [],
  faults,
  ...(configuration === undefined ? {} : { configuration }),
});

const board = createStubRegistry([spec('w', 'a'), spec('w'), spec('w', 'b'), spec('x', 'a')], 1);

const finds: readonly [webhook: string, configuration: string | undefined, found: string | undefined][] = [
  ['w', 'a', 'a/w'],
  ['w', 'b', 'b/w'],
  ['w', 'c', 'any/w'],
  ['w', undefined, 'any/w'],
  ['x', 'a', 'a/x'],
  ['x', undefined, 'a/x'],
  ['x', 'b', undefined],
  ['y', 'a', undefined],
];

test.each(finds)('%s of %s is answered by %s', (webhook, configuration, found) => {
  const one = board.find(webhook, configuration);
  expect(one && `${one.configuration ?? 'any'}/${one.name}`).toBe(found);
});

const call = (on: StubRegistry, namespace = 'shop', webhook = 'w', configuration?: string): string => {
  const turn = on.receive({ webhook, configuration, at: 5, review: { request: { namespace } } });
  return turn ? shown(turn.plan) : 'no stub';
};

function shown(plan: StubPlan): string {
  if (plan.type === 'answer') return plan.afterMs === 0 ? 'answers' : `after ${plan.afterMs}`;
  return plan.type === 'respond' ? String(plan.code) : plan.type;
}

const hang = { type: 'hang' } as const;
const status = (code: number): Fault['what'] => ({ type: 'status', code });

const due: readonly [fact: string, faults: readonly Fault[], plans: readonly string[]][] = [
  ['always', [{ what: hang }], ['hang', 'hang']],
  [
    'the second and the fourth call',
    [{ what: hang, calls: [2, 4] }],
    ['answers', 'hang', 'answers', 'hang', 'answers'],
  ],
  ['the first that is due', [{ what: hang, calls: [2] }, { what: status(500) }], ['500', 'hang', '500']],
  ['never, with probability 0', [{ what: hang, probability: 0 }], ['answers', 'answers']],
  ['always, with probability 1', [{ what: hang, probability: 1 }], ['hang', 'hang']],
  ['other namespaces', [{ what: hang, namespaces: ['other'] }], ['answers', 'answers']],
  ['this namespace and the second call', [{ what: hang, namespaces: ['shop'], calls: [2] }], ['answers', 'hang']],
];

test.each(due)('a fault happens: %s', (_fact, faults, plans) => {
  const on = createStubRegistry([spec('w', undefined, faults)], 1);
  expect(plans.map(() => call(on))).toEqual(plans);
});

test('a call without a stub is not counted', () => {
  const on = createStubRegistry([spec('w', 'a')], 1);
  expect([call(on, 'shop', 'z'), call(on, 'shop', 'w', 'b'), call(on, 'shop', 'w', 'a')]).toEqual([
    'no stub',
    'no stub',
    'answers',
  ]);
  expect(on.calls()).toEqual([{ webhook: 'w', configuration: 'a', at: 5, review: { request: { namespace: 'shop' } } }]);
});

test('chance depends on the seed, the webhook and the call, not on the calls of others', () => {
  const faults = [{ what: hang, probability: 0.5 }];
  const many = (seed: number, others: boolean): string => {
    const on = createStubRegistry([spec('w', undefined, faults), spec('x', undefined, faults)], seed);
    const one = (): string => {
      if (others) call(on, 'shop', 'x');
      return call(on);
    };
    return Array.from({ length: 40 }, one).join(' ');
  };
  expect(many(1, true)).toBe(many(1, false));
  expect(many(2, false)).not.toBe(many(1, false));
  expect(
    many(1, false)
      .split(' ')
      .filter((plan) => plan === 'hang').length,
  ).toBeGreaterThan(10);
});

test('new faults begin to count again, a new behaviour does not', () => {
  const on = createStubRegistry([spec('w', undefined, [{ what: hang, calls: [3] }])], 1);
  const before = [call(on), call(on)];
  on.configure('w', { does: [{ type: 'deny' }] });
  expect([...before, call(on)]).toEqual(['answers', 'answers', 'hang']);
  on.configure('w', { faults: [{ what: status(503), calls: [1] }] });
  expect([call(on), call(on), on.find('w', undefined)?.does]).toEqual(['503', 'answers', [{ type: 'deny' }]]);
});

test('configure means one webhook, or all of the name', () => {
  const on = createStubRegistry([spec('w', 'a'), spec('w', 'b')], 1);
  on.configure('b/w', { faults: [{ what: hang }] });
  expect([call(on, 's', 'w', 'a'), call(on, 's', 'w', 'b')]).toEqual(['answers', 'hang']);
  on.configure('w', { faults: [{ what: status(500) }] });
  expect([call(on, 's', 'w', 'a'), call(on, 's', 'w', 'b')]).toEqual(['500', '500']);
  expect(() => on.configure('z', {})).toThrow('no webhook z to configure; there are w, w');
});

test('the next plan is read without counting', () => {
  const on = createStubRegistry(
    [
      spec('w', undefined, [
        { what: status(500), namespaces: ['shop'] },
        { what: hang, calls: [2] },
      ]),
    ],
    1,
  );
  const upcoming = (): string | undefined => {
    const plan = on.planOf('w', undefined);
    return plan && shown(plan);
  };
  const plans = [upcoming(), upcoming(), call(on, 'other'), upcoming(), call(on, 'other'), upcoming()];
  expect(plans).toEqual(['answers', 'answers', 'answers', 'hang', 'hang', 'answers']);
});

const thousand = (delay: Delay): readonly number[] => {
  const random = createSeededRandom(3);
  return Array.from({ length: 1000 }, () => drawDelay(delay, random)).toSorted((a, b) => a - b);
};

const distributions: readonly [delay: Delay, lowest: number, median: number, highest: number][] = [
  [{ type: 'fixed', milliseconds: 250 }, 250, 250, 250],
  [{ type: 'uniform', from: 100, to: 300 }, 100, 200, 300],
  [{ type: 'lognormal', median: 100, sigma: 0 }, 100, 100, 100],
  [{ type: 'lognormal', median: 100, sigma: 0.5 }, 15, 100, 600],
];

test.each(distributions)('%j is spread as it says', (delay, lowest, median, highest) => {
  const drawn = thousand(delay);
  expect(drawn[0]).toBeGreaterThanOrEqual(lowest);
  expect(drawn.at(-1)).toBeLessThanOrEqual(highest);
  expect(Math.abs((drawn[500] ?? 0) - median)).toBeLessThan(median / 10);
  expect(drawn.every(Number.isInteger)).toBe(true);
});
