import type { ServerConfig } from '../../server-config.ts';
import { durationFlag, textFlag } from '../common-flags.ts';
import { readNames } from '../flag-readers.ts';
import type { Flag, FlagsOf } from '../flags.ts';

type Fields =
  | 'authenticationTokenWebhookConfigFile'
  | 'authenticationTokenWebhookVersion'
  | 'authenticationTokenWebhookCacheTtl'
  | 'authenticationConfig'
  | 'requestheaderClientCaFile'
  | 'requestheaderAllowedNames'
  | 'requestheaderUsernameHeaders'
  | 'requestheaderUidHeaders'
  | 'requestheaderGroupHeaders'
  | 'requestheaderExtraHeadersPrefix';

const published = (name: string, what: string): Flag<readonly string[]> => ({
  name,
  argument: 'NAMES',
  help: what,
  fallback: [],
  read: readNames,
});

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
  requestheaderClientCaFile: textFlag(
    'requestheader-client-ca-file',
    'FILE',
    'CAs (PEM) of proxies that name the user in headers; this flag and those below also stand in the ConfigMap ' +
      'extension-apiserver-authentication',
  ),
  requestheaderAllowedNames: published(
    'requestheader-allowed-names',
    'the common names of such proxies; any unless given',
  ),
  requestheaderUsernameHeaders: published(
    'requestheader-username-headers',
    'headers with the user, such as X-Remote-User',
  ),
  requestheaderUidHeaders: published('requestheader-uid-headers', 'headers with the UID'),
  requestheaderGroupHeaders: published('requestheader-group-headers', 'headers with groups, such as X-Remote-Group'),
  requestheaderExtraHeadersPrefix: published(
    'requestheader-extra-headers-prefix',
    'how headers with extra fields begin, such as X-Remote-Extra-',
  ),
};
