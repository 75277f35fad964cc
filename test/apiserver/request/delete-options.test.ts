import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import type { Result } from '../../../src/machinery/meta/result.ts';
import {
  type DecodedDeleteOptions,
  readQueryDeleteOptions,
  deleteOptionsJson,
  readDeleteOptionsBody,
  decodeDeleteOptions,
} from '../../../src/apiserver/request/delete-options.ts';

/** The options as webhooks would read them, or the refusal. */
const shown = (read: Result<DecodedDeleteOptions>): unknown => {
  if (!read.ok) return `${read.status.code} ${read.status.message}`;
  const { kind, apiVersion, ...fields } = deleteOptionsJson(read.value);
  expect([kind, apiVersion]).toEqual(['DeleteOptions', 'meta.k8s.io/v1']);
  return fields;
};

const invalid = '422 DeleteOptions.meta.k8s.io "" is invalid: ';

// Source: apimachinery pkg/apis/meta/v1/validation/validation.go ValidateDeleteOptions; rule REV-7.
test.each<readonly [sentence: string, body: JsonObject, options: unknown]>([
  ['nothing', {}, {}],
  ['a kind of its own', { kind: 'DeleteOptions', apiVersion: 'v1' }, {}],
  ['no grace is not the same as none said', { gracePeriodSeconds: 0 }, { gracePeriodSeconds: 0 }],
  ['a negative grace period is sent unchanged', { gracePeriodSeconds: -3 }, { gracePeriodSeconds: -3 }],
  ['empty preconditions', { preconditions: {} }, { preconditions: {} }],
  [
    'preconditions',
    { preconditions: { uid: 'u', resourceVersion: '7', other: 1 } },
    { preconditions: { uid: 'u', resourceVersion: '7' } },
  ],
  ['orphanDependents that are false', { orphanDependents: false }, { orphanDependents: false }],
  ['a policy', { propagationPolicy: 'Foreground' }, { propagationPolicy: 'Foreground' }],
  ['null is nothing', { propagationPolicy: null, gracePeriodSeconds: null, preconditions: null, dryRun: null }, {}],
  ['a dry run', { dryRun: ['All'] }, { dryRun: ['All'] }],
  ['an empty dry run', { dryRun: [] }, {}],
  [
    'a dry run of something',
    { dryRun: ['Some'] },
    `${invalid}dryRun: Unsupported value: ["Some"]: supported values: "All"`,
  ],
  [
    'an empty policy',
    { propagationPolicy: '' },
    `${invalid}propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"`,
  ],
  [
    'everything wrong at once',
    { propagationPolicy: 'Zap', orphanDependents: false, dryRun: ['x'] },
    `${invalid}[propagationPolicy: Invalid value: "Zap": orphanDependents and deletionPropagation cannot be both set, propagationPolicy: Unsupported value: "Zap": supported values: "Foreground", "Background", "Orphan", "nil", dryRun: Unsupported value: ["x"]: supported values: "All"]`,
  ],
])('in a body: %s', (_sentence, body, options) => expect(shown(readDeleteOptionsBody(body))).toEqual(options));

// Source: apimachinery pkg/apis/meta/v1/zz_generated.conversion.go url.Values to DeleteOptions; rule DRY-8.
test.each<readonly [query: string, options: unknown]>([
  ['', {}],
  ['gracePeriodSeconds=0', { gracePeriodSeconds: 0 }],
  ['gracePeriodSeconds=-1', { gracePeriodSeconds: -1 }],
  ['gracePeriodSeconds=soon', '400 strconv.ParseInt: parsing "soon": invalid syntax'],
  ['orphanDependents=true', { orphanDependents: true }],
  ['orphanDependents=0', { orphanDependents: false }],
  ['orphanDependents=false', { orphanDependents: false }],
  ['propagationPolicy=Orphan&dryRun=All', { propagationPolicy: 'Orphan', dryRun: ['All'] }],
  ['preconditions=u&uid=u', { preconditions: { uid: 'u' } }],
  [
    'propagationPolicy=Orphan&orphanDependents=true',
    `${invalid}propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set`,
  ],
])('in a query: %s', (query, options) =>
  expect(shown(readQueryDeleteOptions(new URLSearchParams(query)))).toEqual(options),
);

// Source: kubernetes pkg/registry/core/pod/storage/eviction.go.
test('what an Eviction carries is taken as it is', () => {
  expect(decodeDeleteOptions({ propagationPolicy: 'Zap', dryRun: ['x'] })).toMatchObject({
    propagationPolicy: 'Zap',
    dryRun: ['x'],
  });
});
