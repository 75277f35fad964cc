import { expect, test } from 'vitest';
import { JsonNumber, type DocumentObject } from '../../src/machinery/json/json.ts';
import { getPatchSchemas } from '../../src/api/codec/patch/patch-schema.ts';
import { applyStrategicMerge, type StrategicOutcome } from '../../src/api/codec/patch/strategic-merge.ts';
import recorded from '../facts/vectors/strategic-merge.json' with { type: 'json' };
import { recordedRelease } from '../harness/recorded-release.ts';

interface Fact {
  readonly name: string;
  readonly type: string;
  readonly original: DocumentObject;
  readonly patch: DocumentObject;
  readonly result?: DocumentObject;
  readonly error?: string;
}

function merged(type: string, original: DocumentObject, patch: DocumentObject): StrategicOutcome {
  const schema = getPatchSchemas(recordedRelease.types)(type);
  if (!schema) throw new Error(`no type ${type}`);
  return applyStrategicMerge(original, patch, schema);
}

function expected({ result, error }: Fact): StrategicOutcome {
  if (result) return { outcome: 'merged', document: result };
  const [panic, value = ''] = (error ?? '').split('PANIC: ');
  return panic === '' && value !== ''
    ? { outcome: 'panicked', value }
    : { outcome: 'failed', error: error ?? '', ...codeOf(error ?? '') };
}

// Source: apiserver pkg/endpoints/handlers/patch.go interpretStrategicMergePatchError.
const codeOf = (error: string): object => (error.startsWith('invalid patch format of ') ? { code: 400 } : {});

const facts: readonly Fact[] = JSON.parse(JSON.stringify(recorded.cases));

// Source: computed by upstream's engine, apimachinery v1.36.2 pkg/util/strategicpatch.
test.each(facts)('$name', (fact) => {
  const [original, patch] = [structuredClone(fact.original), structuredClone(fact.patch)];
  expect(merged(fact.type, fact.original, fact.patch)).toEqual(expected(fact));
  expect([fact.original, fact.patch]).toEqual([original, patch]);
});

// Source: apimachinery pkg/util/strategicpatch/patch.go.
const rows: readonly [
  fact: string,
  type: string,
  merge: { readonly original: DocumentObject; readonly patch: DocumentObject },
  outcome: StrategicOutcome,
][] = [
  [
    'a double is not the integer it equals',
    'core.v1.Service',
    {
      original: { spec: { ports: [{ port: 53, name: 'a' }] } },
      patch: { spec: { ports: [{ port: new JsonNumber('53.0'), name: 'b' }] } },
    },
    {
      outcome: 'merged',
      document: {
        spec: {
          ports: [
            { port: new JsonNumber('53.0'), name: 'b' },
            { port: 53, name: 'a' },
          ],
        },
      },
    },
  ],
  [
    'maps of maps cannot be merged',
    'apiextensions.v1.JSONSchemaProps',
    { original: { properties: { a: { type: 'string' } } }, patch: { properties: { a: { type: 'number' } } } },
    { outcome: 'failed', error: 'merging an object in json but data type is not struct, instead is: map' },
  ],
  [
    'raw data cannot be merged',
    'apps.v1.ControllerRevision',
    { original: { data: { a: { b: 1 } } }, patch: { data: { a: { b: 2 } } } },
    { outcome: 'failed', error: 'unable to find api field in struct RawExtension for the json field "a"' },
  ],
  [
    'null in a list to merge panics',
    'core.v1.Pod',
    { original: { metadata: { finalizers: [] } }, patch: { metadata: { finalizers: [null] } } },
    { outcome: 'panicked', value: 'runtime error: invalid memory address or nil pointer dereference' },
  ],
  [
    '__proto__ is a key like any other',
    'core.v1.ConfigMap',
    { original: { data: {} }, patch: { data: JSON.parse('{"__proto__":"x"}') } },
    { outcome: 'merged', document: { data: JSON.parse('{"__proto__":"x"}') } },
  ],
];

test.each(rows)('%s', (_fact, type, { original, patch }, outcome) => {
  expect(merged(type, original, patch)).toEqual(outcome);
});
