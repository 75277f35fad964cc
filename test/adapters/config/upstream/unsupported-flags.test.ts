import { expect, test } from 'vitest';
import { flagProblem } from '../../../../src/adapters/config/start-problem.ts';
import { bareConfig } from '../../../harness/start-kadmit.ts';

const problemWith = (flag: string, value: string): string | undefined =>
  flagProblem(bareConfig, [], new Map([[flag, [value]]]));

const users = 'create users with `kadmit user`, --token-auth-file or impersonation';
const modes = 'use --authorization-mode with RBAC, Node, ABAC, AlwaysAllow or AlwaysDeny';

test.each([
  ['oidc-issuer-url', users],
  ['authentication-token-webhook-config-file', users],
  ['authorization-webhook-config-file', modes],
  ['authorization-config', modes],
])('the server does not start with --%s', (flag, advice) => {
  expect(problemWith(flag, 'x')).toBe(`--${flag} is not supported: ${advice}`);
  expect(problemWith(flag, '')).toBeUndefined();
});

test('the server does not start with --authorization-mode Webhook', () => {
  const config = { ...bareConfig, authorizationMode: ['RBAC', 'Webhook'] };
  expect(flagProblem(config, [])).toBe(`--authorization-mode Webhook is not supported: ${modes}`);
});

test.each(['oidc-client-id', 'authentication-token-webhook-cache-ttl', 'authorization-webhook-version'])(
  '--%s alone has no effect',
  (flag) => {
    expect(problemWith(flag, '1s')).toBeUndefined();
  },
);
