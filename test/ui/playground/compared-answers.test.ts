import { expect, test } from 'vitest';
import { differenceText } from '../../../src/ui/playground/answers/compared-answers.ts';
import { someAnswer } from './some-answer.ts';

const releases = { own: '1.37', other: '1.35' };
const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', uid: '1' } };

test.each([
  ['the same', someAnswer(), someAnswer(), ''],
  ['refused in the newer one', someAnswer({ code: 422 }), someAnswer(), 'admitted in 1.35, refused in 1.37'],
  ['refused in the older one', someAnswer(), someAnswer({ code: 403 }), 'refused in 1.35, admitted in 1.37'],
  ['another code', someAnswer({ code: 422 }), someAnswer({ code: 400 }), 'refused with 400 in 1.35, with 422 in 1.37'],
  ['other words', someAnswer({ printed: 'Warning: x' }), someAnswer(), 'admitted in both, with other words'],
  [
    'another object',
    someAnswer({ object: { ...object, spec: {} } }),
    someAnswer({ object }),
    'admitted in both, another object',
  ],
  [
    'another uid',
    someAnswer({ object }),
    someAnswer({ object: { ...object, metadata: { name: 'web', uid: '2', managedFields: [] } } }),
    '',
  ],
])('%s', (_, answer, other, text) => {
  expect(differenceText(answer, other, releases)).toBe(text);
});
