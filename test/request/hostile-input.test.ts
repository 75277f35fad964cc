import { expect, test } from 'vitest';
import { hostileRequest } from '../harness/hostile-request.ts';
import { seededRandom } from '../harness/seeded-random.ts';
import { createHastyClock } from '../harness/virtual-clock.ts';
import { answerOf } from '../harness/world-answer.ts';
import type { WorldAnswer } from '../harness/world-answer.ts';
import { createTestWorld } from '../harness/world.ts';
import { isJsonObject } from '../../src/apimachinery/json.ts';
import { writeJson } from '../../src/apimachinery/json-writer.ts';

// KADMIT_SEED repeats a run, KADMIT_REQUESTS makes it longer.
const seeds = process.env['KADMIT_SEED'] ? [Number(process.env['KADMIT_SEED'])] : [1, 20_000, 777_777];
const requests = Number(process.env['KADMIT_REQUESTS'] ?? 1000);

test.each(seeds)(
  'whatever is sent, the answer is a Status or an object (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const world = await createTestWorld({ clock: createHastyClock(), random });
    const before = [Object.prototype, Array.prototype, String.prototype].map((one) => Reflect.ownKeys(one));
    for (let count = 0; count < requests; count += 1) {
      const request = hostileRequest(random, count, world.clock.now());
      const about = () =>
        `seed ${seed}, request ${count}: ${request.method} ${JSON.stringify(request.path)}?${request.query} ${JSON.stringify(request.headers)} ${new TextDecoder().decode(request.body).slice(0, 600)}`;
      const answer = answerOf(await world.handle(request));
      answer.watch?.(
        () => {},
        () => {},
      )();
      expect(world.bugs, about()).toEqual([]);
      expect(problemOf(answer), about()).toBe('');
    }
    expect([Object.prototype, Array.prototype, String.prototype].map((one) => Reflect.ownKeys(one))).toEqual(before);
    const made = await world.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'still-works' },
    });
    expect(made.code).toBe(201);
  },
);

/** What is wrong with an answer; '' for a good one. */
function problemOf({ code, body, watch, message }: WorldAnswer): string {
  if (watch) return '';
  if (!Number.isInteger(code) || code < 200 || code > 599) return `code ${code}`;
  if (Object.keys(body).length === 0) return message === '' ? 'no body' : '';
  if (!isJsonObject(body) || typeof body['kind'] !== 'string' || body['kind'] === '') return 'no kind';
  if (code >= 400 && body['kind'] !== 'Status') return 'an error that is no Status';
  if (body['kind'] === 'Status' && code >= 400 && (body['code'] !== code || message === '')) return 'a hollow Status';
  return JSON.parse(writeJson(body)) === null ? 'null' : '';
}
