import { expect, test } from 'vitest';
import { checkAuthorization } from '../../../src/adapters/config/check-authorization.ts';
import { commandFailed } from '../../../src/adapters/config/config-error.ts';

const check =
  (modes: readonly string[], authorizationPolicyFile = '') =>
  () =>
    checkAuthorization({ authorizationMode: modes, authorizationPolicyFile, authorizationWebhookConfigFile: '' });

// Source: kubernetes pkg/kubeapiserver/options/authorization_test.go
test.each<[modes: readonly string[], file: string, error: string]>([
  [[], '', 'at least one authorization-mode must be passed'],
  [['Nope'], '', 'authorization-mode "Nope" is not a valid mode'],
  [['ABAC'], '', "authorization-mode ABAC's authorization policy file not passed"],
  [['Webhook'], '', "authorization-mode Webhook's authorization config file not passed"],
  [['RBAC'], 'f', 'cannot specify --authorization-policy-file without mode ABAC'],
  [['RBAC', 'RBAC'], '', 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
  [
    ['No', 'ABAC'],
    '',
    '[authorization-mode "No" is not a valid mode, authorization-mode ABAC\'s authorization policy file not passed]',
  ],
])('--authorization-mode=%j with policies %j', (modes, file, error) => {
  expect(check(modes, file)).toThrow(commandFailed(error).message);
});

test('several authorizers in any order are fine', () => {
  expect(check(['ABAC', 'Node', 'RBAC', 'AlwaysDeny'], 'f')).not.toThrow();
});
