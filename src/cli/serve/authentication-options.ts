import type { ServerConfig } from '../../config/server-config.ts';
import { durationFlag, textFlag } from '../flags/common-flags.ts';
import type { FlagsOf } from '../flags/flags.ts';

type Fields =
  | 'authenticationTokenWebhookConfigFile'
  | 'authenticationTokenWebhookVersion'
  | 'authenticationTokenWebhookCacheTtl'
  | 'authenticationConfig';

/** Who else says whose a request is. */
export const authenticationFlags: FlagsOf<Pick<ServerConfig, Fields>> = {
  authenticationTokenWebhookConfigFile: textFlag(
    'authentication-token-webhook-config-file',
    'FILE',
    'the kubeconfig that says whom to ask about bearer tokens nobody else knows',
  ),
  authenticationTokenWebhookVersion: textFlag(
    'authentication-token-webhook-version',
    'VERSION',
    'the version of TokenReview that is sent: v1beta1 (unless said) or v1',
  ),
  authenticationTokenWebhookCacheTtl: durationFlag(
    'authentication-token-webhook-cache-ttl',
    'how long an answer about a token is remembered; 2m unless said',
  ),
  authenticationConfig: textFlag(
    'authentication-config',
    'FILE',
    'an AuthenticationConfiguration: its field anonymous says where requests without credentials come in',
  ),
};
