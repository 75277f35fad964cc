import { expect, test } from 'vitest';
import { hostileRequest } from '../../harness/hostile-request.ts';
import { createSeededRandom } from '../../../src/testing/stubs/seeded-random.ts';
import { createImmediateClock } from '../../harness/virtual-clock.ts';
import { toWorldAnswer, type WorldAnswer } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';
import { writeJson } from '../../../src/machinery/json/json-writer.ts';
import type { ApiRequest } from '../../../src/apiserver/request/api-request.ts';

// KADMIT_SEED repeats a run, KADMIT_REQUESTS makes it longer.
const seeds = process.env['KADMIT_SEED'] ? [Number(process.env['KADMIT_SEED'])] : [1, 20_000, 777_777];
const requests = Number(process.env['KADMIT_REQUESTS'] ?? 1000);

test.each(seeds)(
  'whatever is sent, the answer is a Status or an object (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    const random = createSeededRandom(seed);
    const world = await createTestWorld({ clock: createImmediateClock(), random });
    const before = prototypes();
    let found = '';
    for (let count = 0; count < requests && found === ''; count += 1) {
      const request = hostileRequest(random, count, world.clock.now());
      const answer = toWorldAnswer(await world.handle(request));
      answer.watch?.(
        () => {},
        () => {},
      )();
      const problem = world.bugs.length > 0 ? String(world.bugs) : problemOf(answer);
      if (problem !== '') found = `seed ${seed}, request ${count}: ${problem}\n${textOf(request)}`;
    }
    expect(found).toBe('');
    expect(prototypes()).toEqual(before);
    const made = await world.send('POST', '/api/v1/namespaces/default/configmaps', {
      metadata: { name: 'still-works' },
    });
    expect(made.code).toBe(201);
  },
);

const prototypes = (): readonly (readonly PropertyKey[])[] =>
  [Object.prototype, Array.prototype, String.prototype, Function.prototype].map((one) => Reflect.ownKeys(one));

/** What is wrong with an answer; '' for a good one. */
function problemOf(answer: WorldAnswer): string {
  const { code, body, watch, message } = answer;
  if (watch) return '';
  if (code < 200 || code > 599) return `code ${code}`;
  if (Object.keys(body).length === 0) return message === '' ? 'no body' : '';
  if (writeJson(body) === '{}') return 'nothing to write';
  if (code >= 400) return refusalProblem(answer);
  return typeof body['kind'] === 'string' && body['kind'] !== '' ? '' : 'no kind';
}

function refusalProblem({ code, body, message }: WorldAnswer): string {
  if (body['kind'] !== 'Status') return 'a refusal that is no Status';
  return body['code'] === code && message !== '' ? '' : 'a hollow Status';
}

const textOf = ({ method, path, query, headers, body }: ApiRequest): string =>
  `${method} ${JSON.stringify(path)}?${query.toString()} ${JSON.stringify(headers)} ${new TextDecoder().decode(body).slice(0, 600)}`;
