import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { valueAt } from '../../src/apimachinery/json.ts';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import type { Pause } from '../../src/apimachinery/pause.ts';
import { adminUser } from '../harness/world.ts';
import type { WorldAnswer } from '../harness/world-answer.ts';
import { things, worldOfThings } from './established.ts';

// A custom resource may hold tens of thousands of values. Work on it that is left and begun again comes to what it comes
// to at once.

const size = 240;
const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_none, at) => item(at));
const fields = <T>(length: number, item: (at: number) => T) =>
  Object.fromEntries(list(length, (at) => [`f${at}`, item(at)]));

const text = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const keyed = (keys: string[], items: JsonObject): JsonObject => ({
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items,
});

/** What is under `spec.v`, and a value of which there are many. */
interface Kind {
  readonly schema: JsonObject;
  readonly value: (start: number, length: number) => unknown;
}

const kinds: Readonly<Record<string, Kind>> = {
  map: {
    schema: { type: 'object', additionalProperties: { type: 'string', pattern: '^[a-y]+$' } },
    value: (start, length) => Object.fromEntries(list(length, (at) => [`f${start + at}`, 'a'])),
  },
  refused: {
    schema: { type: 'object', additionalProperties: { type: 'string', pattern: '^[a-y]+$' } },
    value: (start, length) => Object.fromEntries(list(length, (at) => [`f${start + at}`, at % 9 === 0 ? 'zz' : 'a'])),
  },
  anything: {
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    value: (start, length) => Object.fromEntries(list(length, (at) => [`f${start + at}`, { a: [at], z: null }])),
  },
  unknown: { schema: object({ a: text }), value: (start, length) => fields(length, (at) => start + at) },
  set: {
    schema: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    value: (start, length) => list(length, (at) => `v${start + at}`).toReversed(),
  },
  repeated: {
    schema: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    value: (_start, length) => list(length, (at) => `v${at % (length - 3)}`),
  },
  keyed: {
    schema: keyed(['k'], object({ k: text, v: object({ a: text }) }, { required: ['k'] })),
    value: (start, length) =>
      list(length, (at) => ({ k: `"${start + at}`, v: { a: at % 7 === 0 ? 'x' : `${start}` } })),
  },
  'keyed with defaults': {
    schema: keyed(
      ['k', 'p'],
      object({ k: text, p: { type: 'integer', default: 1 }, v: { ...text, default: 'd' } }, { required: ['k'] }),
    ),
    value: (start, length) =>
      list(length, (at) => ({ k: `k${start + at}`, ...(at % 5 === 0 ? { p: at, zz: 1 } : {}) })),
  },
  'defaults and nulls': {
    schema: {
      type: 'array',
      items: object({
        a: { ...text, default: 'x' },
        b: { ...text, nullable: true },
        c: text,
        d: object({ e: { type: 'integer', default: 7 } }, { default: {} }),
      }),
    },
    value: (_start, length) => list(length, (at) => (at % 2 === 0 ? { a: null, b: null, c: null } : { zz: at })),
  },
  'objects inside': {
    schema: {
      type: 'array',
      items: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: object({ a: text }) } },
    },
    value: (start, length) =>
      list(Math.floor(length / 8), (at) => ({
        apiVersion: 'v1',
        kind: 'X',
        metadata: { name: `a${start + at}`, wrong: at },
        spec: { a: 'x', b: at },
      })),
  },
  'lists in maps': {
    schema: { type: 'object', additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: text } },
    value: (start, length) => fields(40, (at) => list(Math.floor(length / 40), (item) => `${start + at}-${item}`)),
  },
};

const thing = (name: string, v: unknown) => ({
  apiVersion: 'turns.dev/v1',
  kind: 'Thing',
  metadata: { name },
  spec: { v },
});

async function answersTo({ schema, value }: Kind, pause?: Pause): Promise<readonly WorldAnswer[]> {
  const world = await worldOfThings(object({ v: schema }));
  const json = 'application/json';
  const apply = 'application/apply-patch+yaml';
  const merge = 'application/merge-patch+json';
  const requests = [
    ['POST', `${things}?fieldValidation=Warn`, thing('a', value(0, size)), json],
    ['POST', `${things}?fieldValidation=Strict`, thing('strict', value(0, size)), json],
    ['PATCH', `${things}/a`, { spec: { v: value(size / 2, size) }, metadata: { labels: { a: 'b' } } }, merge],
    ['PUT', `${things}/a`, thing('a', value(5, size)), json],
    ['PATCH', `${things}/b?fieldManager=x`, thing('b', value(0, size)), apply],
    ['PATCH', `${things}/b?fieldManager=x`, thing('b', value(size / 3, size)), apply],
    ['PATCH', `${things}/b?fieldManager=y`, thing('b', value(size / 2, size)), apply],
    ['PATCH', `${things}/b?fieldManager=y&force=true`, thing('b', value(9, size / 2)), apply],
    ['PATCH', `${things}/b?fieldManager=x&force=true`, thing('b', undefined), apply],
    ['GET', things, undefined, json],
  ] as const;
  const answers: WorldAnswer[] = [];
  for (const [method, path, body, contentType] of requests) {
    const resourceVersion = valueAt(answers.at(-1)?.body ?? {}, 'metadata', 'resourceVersion') ?? '1';
    const sent = method === 'PUT' ? { ...body, metadata: { name: 'a', resourceVersion } } : body;
    answers.push(await world.send(method, path, sent, { as: adminUser, contentType, ...(pause ? { pause } : {}) }));
  }
  return answers;
}

/** Megabytes of answers, as what can be compared in a moment. */
const told = (answers: readonly WorldAnswer[]) =>
  answers.map(({ code, body, warnings }) => ({
    code,
    body: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
    warnings,
  }));

/** Time flies: whoever looks at the clock has had it for too long. */
function alwaysLate(): Pause & { readonly looks: () => number } {
  let now = 0;
  let looks = 0;
  const pause = (): undefined => void (looks += 1);
  return Object.assign(pause, { now: () => (now += 100), looks: () => looks });
}

// A machine that does much else takes its time for the first world.
const patience = { timeout: 120_000 };

test.each(Object.entries(kinds))('%s: answered as if it were done at once', patience, async (_what, kind) => {
  const late = alwaysLate();
  expect(told(await answersTo(kind, late))).toEqual(told(await answersTo(kind)));
  // The writes go through all their values several times, sixteen of them at once.
  expect(late.looks()).toBeGreaterThan(10 * (size / 16));
});
