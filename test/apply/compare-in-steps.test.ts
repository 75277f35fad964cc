import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import { compare } from '../../src/apply/compare.ts';
import { compareInSteps } from '../../src/apply/compare-in-steps.ts';
import { valueTypesOf } from '../../src/apply/value-type.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';

const type = valueTypesOf(currentRelease.types)('core.v1.Pod');

const many = <Item>(item: (at: number) => Item): readonly Item[] =>
  Array.from({ length: 3_000 }, (_none, at) => item(at));
const named = (values: readonly string[]): JsonValue => Object.fromEntries(values.map((value) => [value, value]));
const pod = (metadata: JsonValue, spec: JsonValue = {}): JsonValue => ({ metadata, spec });
const port = (at: number): JsonValue => ({ containerPort: (at * 7919) % 3_000, name: `p${at}` });
const containers = (ports: readonly JsonValue[]): JsonValue => ({ containers: [{ name: 'c', ports }] });

const finalizers = pod({ finalizers: many((at) => `a.b/${at}`) });
const labels = pod({ labels: named(many((at) => `l${at}`)), annotations: {} });
const ports = pod({}, containers(many(port)));

const rows: Readonly<Record<string, readonly [before: JsonValue | undefined, after: JsonValue | undefined]>> = {
  'a set of its own': [undefined, finalizers],
  'a set where none was': [pod({}), finalizers],
  'a set that has others': [finalizers, pod({ finalizers: many((at) => `a.b/${at * 2}`) })],
  'a set that is gone': [finalizers, pod({})],
  'a map where none was': [pod({}), labels],
  'a map that has others': [labels, pod({ labels: named(many((at) => `l${at * 3}`)) })],
  'items by numbers': [undefined, ports],
  'items where Go prints null': [pod({}, { containers: null }), ports],
  'a list that becomes null': [ports, pod({}, { containers: null })],
  'a map that becomes null': [labels, pod({ labels: null })],
  'items that repeat themselves': [ports, pod({}, containers(many((at) => port(at % 2_000))))],
  'an atomic map': [
    pod({}, { nodeSelector: named(many((at) => `s${at}`)) }),
    pod({}, { nodeSelector: named(many((at) => `s${at * 2}`)) }),
  ],
  'an atomic list': [pod({}), pod({}, { tolerations: many((at) => ({ key: `k${at}` })) })],
  'what nobody knows': [pod({}), Object.fromEntries(many((at) => [`f${at}`, { a: [at] }]))],
};

test.each(Object.entries(rows))('%s: the same in steps', (_what, [before, after]) => {
  const steps = compareInSteps(type, before, after);
  let count = 0;
  let last = steps.next();
  while (last.done !== true) {
    count += 1;
    last = steps.next();
  }
  expect(last.value).toEqual(compare(type, before, after));
  expect(count).toBeGreaterThan(0);
});

test('what is added comes in the order of managedFields', () => {
  const last = (value: JsonValue) => {
    const steps = compareInSteps(type, undefined, value);
    for (;;) {
      const { done, value: result } = steps.next();
      if (done === true) return JSON.stringify(result);
    }
  };
  expect(last(ports)).toBe(JSON.stringify(compare(type, undefined, ports)));
});

test('what is small is one step', () => {
  expect(compareInSteps(type, undefined, pod({ labels: { a: 'b' } })).next().done).toBe(true);
});
