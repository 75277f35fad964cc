import type { ServerConfig } from '../../server-config.ts';
import { durationFlag, textFlag } from '../common-flags.ts';
import { readNames } from '../flag-readers.ts';
import type { FlagsOf } from '../flags.ts';

type Fields =
  | 'authorizationMode'
  | 'authorizationPolicyFile'
  | 'authorizationWebhookConfigFile'
  | 'authorizationWebhookVersion'
  | 'authorizationWebhookCacheAuthorizedTtl'
  | 'authorizationWebhookCacheUnauthorizedTtl'
  | 'authorizationConfig';

export const authorizationFlags: FlagsOf<Pick<ServerConfig, Fields>> = {
  authorizationMode: {
    name: 'authorization-mode',
    argument: 'MODE[,MODE]',
    help:
      'who may do what, the first that allows it: RBAC (so it is unless said), Node (lets kubelets read what their Pods ' +
      'use), ABAC, Webhook, AlwaysAllow or AlwaysDeny',
    fallback: [],
    read: readNames,
  },
  authorizationPolicyFile: textFlag('authorization-policy-file', 'FILE', 'the policies of ABAC, a JSON object a line'),
  authorizationWebhookConfigFile: textFlag(
    'authorization-webhook-config-file',
    'FILE',
    'the kubeconfig that says whom Webhook asks, and as whom',
  ),
  authorizationWebhookVersion: textFlag(
    'authorization-webhook-version',
    'VERSION',
    'the version of SubjectAccessReview that Webhook sends: v1beta1 (unless said) or v1',
  ),
  authorizationWebhookCacheAuthorizedTtl: durationFlag(
    'authorization-webhook-cache-authorized-ttl',
    'how long Webhook remembers that something was allowed; 5m unless said',
  ),
  authorizationWebhookCacheUnauthorizedTtl: durationFlag(
    'authorization-webhook-cache-unauthorized-ttl',
    'how long Webhook remembers that something was not allowed; 30s unless said',
  ),
  authorizationConfig: textFlag(
    'authorization-config',
    'FILE',
    'an AuthorizationConfiguration with the authorizers in their order; instead of the other --authorization flags',
  ),
};
