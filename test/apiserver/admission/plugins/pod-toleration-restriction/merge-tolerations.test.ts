import { expect, test } from 'vitest';
import {
  covers,
  mergeTolerations,
} from '../../../../../src/apiserver/admission/plugins/pod-toleration-restriction/merge-tolerations.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';

const key = { key: 'k', operator: 'Exists' };
const value = { key: 'k', operator: 'Equal', value: 'v' };
const leaving = (tolerationSeconds?: number): JsonObject => ({
  ...key,
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

// Source: kubernetes pkg/util/tolerations/tolerations.go isSuperset and tolerations_test.go TestIsSuperset
test.each<[wide: JsonObject, narrow: JsonObject, covered: boolean]>([
  [{ key: 'k', value: 'v' }, { key: 'k', value: 'v' }, true],
  [key, value, true],
  [key, { ...value, key: 'other' }, false],
  [{ operator: 'Exists' }, value, true],
  [{ key: '', operator: 'Exists' }, value, true],
  [{ operator: 'Equal', value: 'v' }, value, false],
  [{ value: 'v' }, value, false],
  [value, key, false],
  [{ key: 'k', value: 'v' }, value, true],
  [{ key: 'k', operator: '', value: 'v' }, value, true],
  [value, { key: 'k', value: 'v' }, false],
  [value, { ...value, value: 'w' }, false],
  [{ key: 'k', operator: 'Equal' }, { ...value, value: '' }, true],
  [{ ...value, operator: 'Lt' }, { ...value, operator: 'Equal' }, false],
  [{ ...value, operator: 'Lt' }, { ...value, operator: 'Lt', effect: 'NoExecute' }, false],
  [{ ...key, effect: 'NoSchedule' }, { ...value, effect: 'NoSchedule' }, true],
  [{ ...key, effect: 'NoSchedule' }, { ...value, effect: 'NoExecute' }, false],
  [{ ...key, effect: 'NoSchedule' }, value, false],
  [{ ...key, effect: '' }, { ...value, effect: 'NoExecute' }, true],
  [leaving(), leaving(5), true],
  [leaving(5), leaving(), false],
  [leaving(10), leaving(5), true],
  [leaving(5), leaving(10), false],
  [leaving(5), { ...leaving(5), operator: 'Equal', value: 'v' }, true],
  [leaving(0), { ...leaving(1), operator: 'Equal', value: 'v' }, false],
  [{ ...leaving(5), effect: 'NoSchedule' }, { ...leaving(10), effect: 'NoSchedule' }, true],
  [{ ...key, tolerationSeconds: 5 }, { ...leaving(10) }, true],
])('%j covers %j: %s', (wide, narrow, covered) => {
  expect(covers(wide, narrow)).toBe(covered);
});

const other = { key: 'z', operator: 'Exists' };
const everything = { operator: 'Exists' };

// Source: kubernetes pkg/util/tolerations/tolerations.go MergeTolerations: the first of equal tolerations is kept.
test.each<[first: readonly JsonObject[], second: readonly JsonObject[], merged: readonly JsonObject[]]>([
  [[value, other], [value], [value, other]],
  [
    [other, value],
    [value, other],
    [other, value],
  ],
  [[value], [key, other], [key, other]],
  [[value, other], [key], [other, key]],
  [[key], [value, other], [key, other]],
  [[key, value], [everything], [everything]],
  [[leaving(10)], [leaving(20)], [leaving(20)]],
  [[leaving(20)], [leaving(10)], [leaving(20)]],
  [[], [value], [value]],
  [[], [], []],
])('%j with %j is %j', (first, second, merged) => {
  expect(mergeTolerations(first, second)).toEqual(merged);
});
