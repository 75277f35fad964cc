import { expect, test } from 'vitest';
import {
  type ChainPlugin,
  type RunMutation,
  createAdmissionChain,
} from '../../../../src/apiserver/admission/chain/create-chain.ts';
import type { AdmissionRecord } from '../../../../src/apiserver/admission/chain/outcome.ts';
import { failure } from '../../../../src/machinery/meta/status.ts';
import { configMap, creating, noLimits } from '../../../harness/admission.ts';

// Source: apiserver pkg/admission/metrics/metrics.go: each plugin has its time. Ours: when one is done the next begins, so that the clock is asked seldom.

let now = 0;
let looked = 0;
const clock = {
  now: () => {
    looked += 1;
    return now;
  },
  sleep: async () => {},
};

interface Said {
  readonly refuses?: true;
  readonly again?: true;
}

/** It takes so long, and leaves a record for each part of it. */
function taking(name: string, parts: readonly number[], { refuses, again }: Said = {}): ChainPlugin {
  const callsOut = name.startsWith('Asks');
  const mutate: RunMutation = async ({ object }) => {
    const records = parts.map((part): AdmissionRecord => {
      const startedAt = now;
      now += part;
      const outcome = { outcome: 'changed' } as const;
      const times = { startedAt, finishedAt: now };
      return { type: 'plugin', plugin: name, phase: 'mutating', round: 0, outcome, object, ...times };
    });
    const status = failure({ code: 403, reason: 'Forbidden', message: 'no' });
    const verdict = refuses ? ({ outcome: 'refused', status } as const) : ({ outcome: 'admitted', object } as const);
    return { verdict, records, warnings: [], annotations: [], wantsReinvocation: again === true };
  };
  return { name, operations: ['CREATE'], callsOut, mutate };
}

/** Has nothing to do for ConfigMaps. */
const idle = (name: string): ChainPlugin => ({ ...taking(name, [9]), mutatesOnly: [{ group: '', resource: 'pods' }] });

async function timesOf(...plugins: readonly ChainPlugin[]) {
  [now, looked] = [100, 0];
  const { records, calling } = await createAdmissionChain({ plugins, clock, yieldIfLong: async () => {} }).mutate(
    creating(configMap()),
    noLimits,
  );
  const reported = records.flatMap((one) => {
    if (one.type === 'plugin') return [[one.plugin, one.startedAt, one.finishedAt]];
    if (one.type !== 'passed-plugins') return [];
    return one.names.map((name, at) => [name, ...one.times.slice(2 * at, 2 * at + 2)]);
  });
  const called = (calling ?? []).map((one) => [one.plugin, one.rejected, one.startedAt, one.finishedAt]);
  return { reported, called, looked };
}

test('one that asks others began when the last part of the one before it was over', async () => {
  expect(await timesOf(taking('A', [1, 2]), taking('Asks', []), taking('B', [4]), taking('Asks too', [8, 16]))).toEqual(
    {
      reported: [
        ['A', 100, 101],
        ['A', 101, 103],
        ['B', 103, 107],
        ['Asks too', 107, 115],
        ['Asks too', 115, 131],
      ],
      called: [
        ['Asks', false, 103, 103],
        ['Asks too', false, 107, 131],
      ],
      looked: 7,
    },
  );
});

test('those that are idle take no time, at the beginning, between two and at the end', async () => {
  const { reported } = await timesOf(idle('I'), taking('A', [1]), idle('J'), taking('Asks', [2]), idle('K'));
  expect(reported).toEqual([
    ['I', 100, 100],
    ['A', 100, 101],
    ['J', 101, 101],
    ['Asks', 101, 103],
    ['K', 103, 103],
  ]);
});

test('one that refuses has its time, and none comes after it', async () => {
  expect(await timesOf(taking('A', [1]), taking('Asks', [2], { refuses: true }), taking('B', [4]))).toMatchObject({
    reported: [
      ['A', 100, 101],
      ['Asks', 101, 103],
    ],
    called: [['Asks', true, 101, 103]],
  });
});

// Source: apiserver pkg/admission/plugin/webhook/mutating/reinvocationcontext.go: any request for reinvocation runs all plugins again.
test('one that is asked again has a time of each round', async () => {
  const { called } = await timesOf(taking('Asks', [2], { again: true }), taking('A', [1]), taking('Asks B', []));
  expect(called).toEqual([
    ['Asks', false, 100, 102],
    ['Asks B', false, 103, 103],
    ['Asks', false, 103, 105],
    ['Asks B', false, 106, 106],
  ]);
});
