import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../harness/temporary-folder.ts';

// A long log is replayed by several threads, which only the built program has.

const folder = temporaryFolder();

const registration = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'no-odd' } };
const policy = {
  ...registration,
  kind: 'ValidatingAdmissionPolicy',
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    },
    validations: [{ expression: "object.data.odd != 'true'", messageExpression: "'no ' + object.metadata.name" }],
  },
};
const binding = {
  ...registration,
  kind: 'ValidatingAdmissionPolicyBinding',
  spec: { policyName: 'no-odd', validationActions: ['Deny'] },
};

const event = (at: number): object => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  stage: 'ResponseComplete',
  verb: 'create',
  requestURI: '/api/v1/namespaces/default/configmaps',
  user: { username: 'bob' },
  objectRef: { resource: 'configmaps', namespace: 'default', name: `m${at}`, apiVersion: 'v1' },
  responseStatus: { code: 201 },
  requestObject: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `m${at}` },
    data: { odd: String(at % 2 === 1), filling: 'x'.repeat(9000) },
  },
});

function replay(log: string, load: unknown): { readonly status: number | null; readonly out: string } {
  writeFileSync(join(folder, 'load.json'), JSON.stringify(load));
  const program = process.env['KADMIT_MAIN'] ?? 'dist/main.js';
  const args = [program, 'diff', join(folder, 'load.json'), '--audit-log', log, '--output', 'json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, out: `${stdout}${stderr}` };
}

const log = join(folder, 'audit.log');
writeFileSync(log, Array.from({ length: 600 }, (_none, at) => JSON.stringify(event(at))).join('\n'));
const list = (...items: readonly object[]): object => ({ apiVersion: 'v1', kind: 'List', items });

test('a log of 5 MB is reported like a short one: completely, the first examples first', () => {
  const { status, out } = replay(log, list(policy, binding));
  expect(JSON.parse(out)).toMatchObject({
    events: 600,
    replayed: 600,
    admitted: 300,
    refusals: [
      {
        by: 'policy no-odd',
        count: 300,
        examples: [1, 3, 5].map((at) => ({
          request: `create configmaps default/m${at} by bob`,
          message: expect.stringMatching(new RegExp(`denied request: no m${at}$`)),
        })),
      },
    ],
  });
  expect(status).toBe(1);
});

test('a set that cannot be stored is said once, and ends all threads', () => {
  const { status, out } = replay(log, list({ ...binding, spec: {} }));
  expect(out).toMatch(/^kadmit diff: it cannot be run: .*ValidatingAdmissionPolicyBinding.*\n.*$/);
  expect(status).toBe(2);
});
