import { expect, test } from 'vitest';
import {
  type Breakpoint,
  type Breakpoints,
  createBreakpoints,
  parseBreakpoint,
} from '../../../src/adapters/breakpoints/breakpoints.ts';
import { type PausedRequest, maxPaused } from '../../../src/adapters/breakpoints/paused-requests.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import type { TracedWebhook } from '../../../src/explain/trace/trace.ts';
import type { Respond } from '../../harness/admission.ts';
import { createVirtualClock } from '../../harness/virtual-clock.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';
import type { WorldAnswer } from '../../harness/world-answer.ts';

const minute = 60_000;
const configMaps = '/api/v1/namespaces/default/configmaps';

interface Bench {
  readonly world: TestWorld;
  readonly breaks: Breakpoints;
  readonly create: (name: string, signal?: AbortSignal) => Promise<WorldAnswer>;
  /** Resolves with what is held once it is so many. */
  readonly held: (count: number) => Promise<readonly PausedRequest[]>;
}

const rules = [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];

const configuration = (kind: string, names: readonly string[]): object => ({
  metadata: { name: kind.toLowerCase() },
  webhooks: names.map((name) => ({
    name: `${name}.example.com`,
    clientConfig: { url: `https://example.com/${name}` },
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 1,
  })),
});

async function bench(on: readonly string[], responses: Readonly<Record<string, Respond>> = {}): Promise<Bench> {
  const clock = createVirtualClock();
  const breaks = createBreakpoints({ now: clock.now, onHeld: () => {} });
  const world = await createTestWorld({ clock, responses, wrapCall: breaks.around });
  for (const [kind, names] of [
    ['Mutating', ['m']],
    ['Validating', ['v', 'w']],
  ] as const) {
    const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
    const made = await world.send('POST', path, configuration(kind, names));
    expect(made.code).toBe(201);
  }
  breaks.switchOn(on.flatMap(pointsOf));
  const held: Bench['held'] = (count) =>
    new Promise((resolve) => {
      const look = (): void => {
        if (breaks.list().held.length !== count) return;
        stop();
        resolve(breaks.list().held);
      };
      const stop = breaks.subscribe(look);
      look();
    });
  const create: Bench['create'] = (name, signal) =>
    world.send('POST', configMaps, { metadata: { name } }, signal ? { signal } : {});
  return { world, breaks, create, held };
}

function pointsOf(text: string): readonly Breakpoint[] {
  const reading = parseBreakpoint(text);
  return reading.outcome === 'read' ? reading.points : [];
}

const goOn = { action: 'continue' };

/** What the trace of the last request says of a webhook. */
function traced({ finished }: TestWorld, name: string): TracedWebhook | undefined {
  const last = finished.at(-1);
  if (!last) return undefined;
  const { admission } = createTrace(last, 'id', last.request.receivedAt);
  return admission.find((one): one is TracedWebhook => one.type === 'webhook' && one.name === `${name}.example.com`);
}

/** What `kadmit explain` says of the last request. */
function explain({ finished }: TestWorld): string {
  const last = finished.at(-1);
  return last ? renderExplanation(createTrace(last, 'id', last.request.receivedAt)) : '';
}

test.each(['before', 'after'])('a request held %s a webhook is not late, however long that takes', async (moment) => {
  const { world, breaks, create, held } = await bench([`m.example.com:${moment}`]);
  const answer = create('a');
  await held(1);
  await world.clock.advance(60 * minute);
  expect(await breaks.resume('1', goOn, 'alice')).toMatchObject({ outcome: 'resumed' });
  expect((await answer).code).toBe(201);
  // 34 s in all: the validating webhooks still have their own whole second.
  expect(world.calls.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 1000, 1000]);
  expect(traced(world, 'm')).toMatchObject({
    outcome: 'called',
    holds: [{ moment, milliseconds: 60 * minute, ended: 'continued', by: 'alice' }],
  });
  expect(traced(world, 'v')).not.toHaveProperty('holds');
  expect(explain(world)).toContain(`\n      held 3600.0 s ${moment} the call, continued by alice`);
});

test('without a hold the same time is too long', async () => {
  const { world, create } = await bench([], {
    'm.example.com': async () => {
      await world.clock.advance(minute);
      return {};
    },
  });
  expect((await create('a')).code).toBe(504);
});

test('what is held can be looked at: the review before, the answer with its patch after', async () => {
  const patch = [{ op: 'add', path: '/metadata/labels', value: { team: 'red' } }];
  const { breaks, create, held } = await bench(['m.example.com:both'], { 'm.example.com': () => ({ patch }) });
  const answer = create('a');
  const [first] = await held(1);
  const about = { configuration: 'mutating', webhook: 'm.example.com', phase: 'mutating' };
  expect(first).toMatchObject({ id: '1', moment: 'before', ...about, review: { request: { name: 'a' } } });
  expect(first).not.toHaveProperty('answer');
  await breaks.resume('1', goOn, 'alice');
  const [second] = await held(1);
  expect(second).toMatchObject({
    id: '2',
    moment: 'after',
    ...about,
    answer: { outcome: 'answered', code: 200, response: { allowed: true, patch } },
  });
  await breaks.resume('2', goOn, 'alice');
  expect((await answer).body).toMatchObject({ metadata: { labels: { team: 'red' } } });
  expect(breaks.list()).toMatchObject({ breaks: [{ hits: 1 }, { hits: 1 }], held: [] });
});

test('a response before the call replaces the webhook, which is not called', async () => {
  const { world, breaks, create, held } = await bench(['m.example.com:both']);
  const answer = create('a');
  await held(1);
  const response = { allowed: false, status: { message: 'not by hand' } };
  await breaks.resume('1', { action: 'answer', response }, 'alice');
  expect(await answer).toMatchObject({ message: expect.stringContaining('denied the request: not by hand') });
  expect(world.calls).toEqual([]);
  expect(traced(world, 'm')).toMatchObject({
    outcome: 'denied',
    holds: [{ moment: 'before', ended: 'answered', by: 'alice' }],
  });
});

test('an answer can be replaced after the call, and the trace keeps what the webhook had said', async () => {
  const { world, breaks, create, held } = await bench(['m.example.com:after'], {
    'm.example.com': () => ({ allowed: false }),
  });
  const answer = create('a');
  await held(1);
  const patch = [{ op: 'add', path: '/data', value: { by: 'hand' } }];
  await breaks.resume('1', { action: 'answer', response: { allowed: true, patch } }, 'alice');
  expect((await answer).body).toMatchObject({ data: { by: 'hand' } });
  expect(traced(world, 'm')).toMatchObject({
    outcome: 'called',
    patch,
    holds: [{ ended: 'answered', by: 'alice', replaced: { response: { allowed: false } } }],
  });
});

test('a failed call is held too, and can be answered for', async () => {
  const failed = { outcome: 'failed', phase: 'connect', error: 'dial tcp: refused' } as const;
  const { breaks, create, held } = await bench(['m.example.com:after'], { 'm.example.com': () => failed });
  const answer = create('a');
  expect(await held(1)).toMatchObject([
    { answer: { outcome: 'failed', failurePhase: 'connect', error: 'dial tcp: refused' } },
  ]);
  await breaks.resume('1', { action: 'answer', response: { allowed: true } }, 'alice');
  expect((await answer).code).toBe(201);
});

test('an answer that no webhook may give is refused, and the request stays held', async () => {
  const { breaks, create, held } = await bench(['v.example.com']);
  const answer = create('a');
  await held(1);
  const wrong = { action: 'answer', response: { allowed: true, patch: [{ op: 'remove', path: '/data' }] } };
  expect(await breaks.resume('1', wrong, 'alice')).toEqual({
    outcome: 'wrong',
    problem: 'response: validating webhook may not return response.patch',
  });
  expect(await breaks.resume('7', goOn, 'alice')).toEqual({ outcome: 'unknown' });
  expect(await held(1)).toHaveLength(1);
  await breaks.resume('1', goOn, 'alice');
  expect((await answer).code).toBe(201);
});

test('requests are held side by side, and the others go on', async () => {
  const { world, breaks, create, held } = await bench(['v.example.com', 'w.example.com']);
  const answers = [create('a'), create('b')];
  await held(4);
  const other = await world.send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
  expect(other.code).toBe(201);
  await world.clock.advance(minute);
  for (const { id } of breaks.list().held) await breaks.resume(id, goOn, 'alice');
  expect((await Promise.all(answers)).map(({ code }) => code)).toEqual([201, 201]);
});

test('a switch that is off holds nothing more; what is held stays so', async () => {
  const { breaks, create, held } = await bench(['m.example.com']);
  const first = create('a');
  await held(1);
  breaks.switchOff(pointsOf('m.example.com'));
  expect((await create('b')).code).toBe(201);
  expect(await held(1)).toHaveLength(1);
  await breaks.resume('1', goOn, 'alice');
  expect((await first).code).toBe(201);
});

test('a client that goes away ends the hold, and nothing is stored', async () => {
  const { world, breaks, create, held } = await bench(['m.example.com:after']);
  const client = new AbortController();
  const answer = create('a', client.signal);
  await held(1);
  client.abort();
  await held(0);
  expect((await answer).code).toBe(500);
  expect((await world.send('GET', `${configMaps}/a`)).code).toBe(404);
  expect(traced({ ...world, finished: world.finished.slice(0, -1) }, 'm')).toMatchObject({
    failurePhase: 'canceled',
    holds: [{ ended: 'canceled', by: '' }],
  });
  expect(breaks.list().held).toEqual([]);
});

test('closing lets everything go on', async () => {
  const { breaks, create, held } = await bench(['m.example.com', 'v.example.com']);
  const answer = create('a');
  await held(1);
  breaks.close();
  expect((await answer).code).toBe(201);
});

test('at most 100 requests are paused', async () => {
  const { breaks, create, held } = await bench(['m.example.com']);
  const answers = Array.from({ length: maxPaused }, (_, index) => create(`held-${index}`));
  await held(maxPaused);
  expect((await create('one-more')).message).toContain(`${maxPaused} requests are paused, the maximum`);
  breaks.close();
  expect(new Set((await Promise.all(answers)).map(({ code }) => code))).toEqual(new Set([201]));
});
