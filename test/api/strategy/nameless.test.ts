import { expect, test } from 'vitest';
import { create, decoded } from './write.ts';

// Source: kubernetes pkg/registry/core/limitrange/strategy.go PrepareForCreate: of all kinds only this one is given a name.
test.each<readonly [kind: string, name: string | undefined, stored: string]>([
  ['LimitRange', undefined, '1b4e28ba-2fa1-41d2-883f-0016d3cca427'],
  ['LimitRange', 'mine', 'mine'],
])('a %s called %s is stored as %s', (kind, name, stored) => {
  const object = decoded({
    apiVersion: 'v1',
    kind,
    metadata: { namespace: 'default', ...(name && { name }) },
    spec: { limits: [] },
  });
  expect(create(object)).toMatchObject({ metadata: { name: stored } });
});

test('a ResourceQuota without a name is refused', () => {
  const object = decoded({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { namespace: 'default' } });
  expect(create(object)).toContain('name or generateName is required');
});
