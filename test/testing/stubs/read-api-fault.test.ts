import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import type { ApiFault } from '../../../src/testing/stubs/api-fault.ts';
import { readApiFaultSpec, apiFaultFields, readApiFault } from '../../../src/testing/stubs/read-api-fault.ts';

// Source: docs/reference/api-faults.md.
const specs: readonly [text: string, fault: ApiFault][] = [
  ['conflict', { what: { type: 'conflict' } }],
  [
    'conflict:verbs=update:resources=configmaps,deployments.apps/status:calls=1,3',
    {
      what: { type: 'conflict' },
      verbs: ['update'],
      resources: ['configmaps', 'deployments.apps/status'],
      calls: [1, 3],
    },
  ],
  ['conflict:calls=1,3-5', { what: { type: 'conflict' }, calls: [1, 3, 4, 5] }],
  ['too-many-requests:probability=0.1', { what: { type: 'too-many-requests' }, probability: 0.1 }],
  [
    'too-many-requests:retryAfterSeconds=5:namespaces=shop',
    { what: { type: 'too-many-requests', retryAfterSeconds: 5 }, namespaces: ['shop'] },
  ],
  ['drop-watch:resources=pods:calls=1', { what: { type: 'drop-watch' }, resources: ['pods'], calls: [1] }],
  ['drop-watch:afterEvents=3', { what: { type: 'drop-watch', afterEvents: 3 } }],
  ['drop-watch:afterMs=500', { what: { type: 'drop-watch', afterMs: 500 } }],
  ['expire-watch:verbs=watch', { what: { type: 'expire-watch' }, verbs: ['watch'] }],
];

test.each(specs)('%s', (text, fault) => {
  expect(readApiFaultSpec(text)).toEqual({ outcome: 'read', fault });
});

const kinds = 'one of conflict, too-many-requests, drop-watch, expire-watch';
const fields = 'verbs, resources, namespaces, calls, probability';
const unreadable: readonly [text: string, problem: string][] = [
  ['', `the kind of fault is missing: ${kinds}`],
  ['conflicts:calls=1', `there is no "conflicts": it is ${kinds}`],
  ['constructor', `there is no "constructor": it is ${kinds}`],
  ['conflict:update', '"update" is not FIELD=VALUE, such as resources=pods'],
  ['conflict:calls=', '"calls=" is not FIELD=VALUE, such as resources=pods'],
  ['conflict:', '"" is not FIELD=VALUE, such as resources=pods'],
  ['conflict:verb=update', `there is no verb; there are ${fields}`],
  ['conflict:__proto__=1', `there is no __proto__; there are ${fields}`],
  ['conflict:afterMs=1', `there is no afterMs; there are ${fields}`],
  ['too-many-requests:retry=1', `there is no retry; there are retryAfterSeconds, ${fields}`],
  ['conflict:calls=1:calls=2', 'calls is given twice'],
  ['conflict:calls=0', 'calls: 0 is not a request number: count from 1'],
  ['conflict:calls=4-2', 'calls: "4-2" is not a request number: count from 1'],
  ['conflict:probability=2', 'probability: 2 is not between 0 and 1'],
  ['conflict:probability=often', 'probability: "often" is not between 0 and 1'],
  ['conflict:verbs=create', 'verbs: conflict does not apply to create, only to update, patch, delete'],
  ['drop-watch:verbs=list', 'verbs: drop-watch does not apply to list, only to watch'],
  ['too-many-requests:verbs=post', `verbs: "post" is none of ${'get, list, watch, create, update, patch, delete'}`],
  ['conflict:resources=ConfigMap', 'resources: "ConfigMap" is not a resource: write its plural and group'],
  ['conflict:resources=pods,', 'resources: "" is not a resource'],
  ['conflict:namespaces=Shop', 'namespaces: "Shop" is not a namespace name'],
  ['too-many-requests:retryAfterSeconds=0', 'retryAfterSeconds: 0 must be an integer of at least 1'],
  ['drop-watch:afterEvents=1.5', 'afterEvents: 1.5 must be an integer of at least 0'],
];

test.each(unreadable)('%s is wrong: %s', (text, problem) => {
  expect(readApiFaultSpec(text)).toEqual({ outcome: 'wrong', problem: expect.stringContaining(problem) });
});

const values: readonly [value: JsonValue | undefined, problem: string][] = [
  [undefined, `the kind of fault is missing: ${kinds}`],
  ['conflict', `the kind of fault is missing: ${kinds}`],
  [{ what: 'conflict' }, `the kind of fault is missing: ${kinds}`],
  [{ what: { type: 'conflict', calls: [1] } }, 'what: conflict has no calls'],
  [{ what: { type: 'drop-watch', calls: [1] } }, 'what: drop-watch has no calls; there are afterMs, afterEvents'],
  [{ what: { type: 'drop-watch' }, afterMs: 1 }, 'afterMs belongs in what'],
  [{ what: { type: 'conflict' }, calls: 1 }, 'calls: 1 must be a list of at least one value'],
  [{ what: { type: 'conflict' }, resources: [] }, 'resources: [] must be a list of at least one value'],
  [{ what: { type: 'conflict' }, verbs: [{ a: 1n }] }, 'verbs: { a: 1n } is none of get'],
];

test.each(values)('a program says %o: %s', (value, problem) => {
  expect(readApiFault(value)).toEqual({ outcome: 'wrong', problem: expect.stringContaining(problem) });
});

test('what a program leaves undefined is left out', () => {
  const { outcome } = readApiFault({ what: { type: 'drop-watch', afterMs: undefined }, calls: undefined });
  expect(outcome).toBe('read');
});

test('docs/reference/api-faults.md shows faults that can be read, and every kind', () => {
  const shown = [...readFileSync('docs/reference/api-faults.md', 'utf8').matchAll(/--api-fault ([a-z]\S*)/g)];
  const readings = shown.map(([, spec = '']) => readApiFaultSpec(spec));
  expect(readings.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
  const kindsShown = readings.flatMap((reading) => (reading.outcome === 'read' ? [reading.fault.what.type] : []));
  expect(new Set(kindsShown)).toEqual(new Set(Object.keys(apiFaultFields)));
});
