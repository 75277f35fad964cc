import { expect, test } from 'vitest';
import { isLongRunning } from '../../../src/apiserver/request/long-running.ts';
import { requestInfoOf } from '../../../src/apiserver/request/request-info.ts';

const pods = '/api/v1/namespaces/default/pods';

// Source: apiserver pkg/server/config.go longRunningRequestCheck, pkg/server/filters/longrunning.go.
test.each([
  ['a watch', 'GET', `${pods}?watch=true`, true],
  ['the log of a Pod', 'GET', `${pods}/a/log`, true],
  ['exec', 'POST', `${pods}/a/exec`, true],
  ['attach', 'GET', `${pods}/a/attach`, true],
  ['portforward', 'GET', `${pods}/a/portforward`, true],
  ['proxy', 'GET', `${pods}/a/proxy`, true],
  ['a profile', 'GET', '/debug/pprof/profile', true],
  ['the index of profiles', 'GET', '/debug/pprof/', true],
  ['a list', 'GET', pods, false],
  ['a create', 'POST', pods, false],
  ['a scale', 'GET', '/apis/apps/v1/namespaces/default/deployments/a/scale', false],
  ['the index of profiles without a slash', 'GET', '/debug/pprof', false],
  ['a flag', 'GET', '/debug/flags/v', false],
  ['a log below the path of logs', 'GET', '/logs/debug/pprof/', false],
])('%s: %s %s runs long: %s', (_fact, method, target, runsLong) => {
  const { pathname, searchParams } = new URL(target, 'https://kadmit');
  expect(isLongRunning(requestInfoOf(method, pathname, searchParams))).toBe(runsLong);
});
