import { expect, test } from 'vitest';
import { ineffectiveGatesLines } from '../../../src/app/server/api-switches.ts';

test.each([
  ['a gate of fields', ['PodLevelResources'], []],
  ['gates of checks', ['StrictIPCIDRValidation', 'RelaxedServiceNameValidation'], []],
  ['any other', ['WatchList'], ['--feature-gates: WatchList is known and changes nothing here']],
  [
    'two others among some',
    ['WatchList', 'AllAlpha', 'AtomicFIFO'],
    ['--feature-gates: WatchList, AtomicFIFO are known and change nothing here'],
  ],
])('%s named in --feature-gates', (_what, named, lines) => {
  expect(ineffectiveGatesLines({ named, isOn: () => true })).toEqual(lines);
});
