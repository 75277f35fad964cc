import { expect, test } from 'vitest';
import { createGate } from '../../../src/testing/scenario/target/target-worlds.ts';
import type { WorldAnswer } from '../../../src/testing/scenario/world.ts';

const answer: WorldAnswer = { code: 201, body: {}, warnings: [], milliseconds: 0, trace: undefined };

test('closing waits for what is under way, lets nothing more through, and finishes once', async () => {
  const log: string[] = [];
  let arrive = (): void => {};
  const gate = createGate(
    () =>
      new Promise((resolve) => {
        arrive = () => {
          log.push('answered');
          resolve(answer);
        };
      }),
  );
  const sent = gate.send({ method: 'POST', path: '/api/v1/nodes' });
  const finish = async (): Promise<void> => void log.push('finished');
  const hurry = async (): Promise<void> => void log.push('hurried');
  const closing = [gate.close(finish, hurry), gate.close(finish, hurry)];
  await expect(gate.send({ method: 'POST', path: '/api/v1/nodes' })).rejects.toThrow('the run was interrupted');
  expect(log).toEqual(['hurried']);
  arrive();
  await Promise.all(closing);
  expect(await sent).toBe(answer);
  expect(log).toEqual(['hurried', 'answered', 'finished']);
});

test('a request that failed does not keep it open', async () => {
  const gate = createGate(() => Promise.reject(new Error('no connection')));
  await expect(gate.send({ method: 'GET', path: '/' })).rejects.toThrow('no connection');
  await expect(
    gate.close(
      async () => {},
      () => Promise.reject(new Error('nothing to hurry')),
    ),
  ).resolves.toBeUndefined();
});
