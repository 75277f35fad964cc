import { expect, test } from 'vitest';
import { revisionData, revisionHash, revisionText } from '../../../../src/controllers/workloads/history/revisions.ts';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';

const container = (image: string, imagePullPolicy: string, more: JsonObject = {}): JsonObject => ({
  name: 'c',
  image,
  resources: {},
  ...more,
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy,
});

const set = (one: JsonObject): Parameters<typeof revisionData>[0] => ({
  kind: 'StatefulSet',
  apiVersion: 'apps/v1',
  spec: {
    template: {
      metadata: { labels: { app: 'x' } },
      spec: {
        containers: [one],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 0,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
    },
  },
});

// Recorded: controllers-statefulset-waits-for-ready and controllers-statefulset-ordered-and-claims.
test.each([
  ['a plain template', container('nginx:1.23', 'IfNotPresent'), '765bc4667c'],
  ['one with a mount', container('i', 'Always', { volumeMounts: [{ name: 'data', mountPath: '/d' }] }), '69784b8556'],
])('%s has the hash of the real server', (_name, one, hash) => {
  expect(revisionHash(revisionData(set(one)), 0)).toBe(hash);
});

test('a collision changes the hash', () => {
  const data = revisionData(set(container('i', 'Always')));
  expect(revisionHash(data, 1)).not.toBe(revisionHash(data, 0));
});

test('keys are in order and texts escaped as Go does', () => {
  expect(revisionText({ b: [{ z: 1, a: '<' }], a: null })).toBe('{"a":null,"b":[{"a":"\\u003c","z":1}]}');
});
