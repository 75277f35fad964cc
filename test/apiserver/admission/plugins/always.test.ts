import { expect, test } from 'vitest';
import { alwaysDenyPlugin } from '../../../../src/apiserver/admission/plugins/always.ts';
import { clusterOf, creatingPod, outcomeOf } from '../../../harness/builtin-plugin.ts';

// Source: kubernetes plugin/pkg/admission/deny/admission_test.go, fact p-alwaysdeny-create
test('AlwaysDeny denies every request', () => {
  const outcome = outcomeOf(alwaysDenyPlugin, 'mutate', { request: creatingPod({}), cluster: clusterOf({}), path: [] });
  expect(outcome).toBe('pods "p" is forbidden: admission control is denying all modifications');
});
