import { expect, test } from 'vitest';
import { shownTarget } from '../../../src/adapters/telemetry/log.ts';

test.each([
  ['/api/v1/pods', '/api/v1/pods'],
  ['/api/v1/pods?limit=5', '/api/v1/pods?limit=5'],
  [
    '/p/exec?command=sh&command=-c&command=PASSWORD%3Dhunter2&stdin=true',
    '/p/exec?command=‹masked›&command=‹masked›&command=‹masked›&stdin=true',
  ],
  ['/p/exec?comm%61nd=hunter2', '/p/exec?command=‹masked›'],
  ['/p/exec?a=?command=x&command=hunter2?b', '/p/exec?a=?command=x&command=‹masked›'],
  ['/p/exec?%zz=1&&command', '/p/exec?%zz=1&&command=‹masked›'],
])('%s is shown as %s', (target, shown) => {
  expect(shownTarget({ target, path: '/never' })).toBe(shown);
});
