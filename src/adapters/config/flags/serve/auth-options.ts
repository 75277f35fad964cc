import { durationFlag, namesFlag, repeatedFlag, switchFlag, textFlag } from '../common-flags.ts';

export const authenticationFlags = {
  clientCaFile: textFlag(
    'client-ca-file',
    'FILE',
    'CAs (PEM) of client certificates, whose CN is the user and whose O are the groups',
  ),
  tokenAuthFile: textFlag('token-auth-file', 'FILE', 'bearer tokens, a csv file: token,user,uid,"group1,group2"'),
  serviceAccountIssuer: repeatedFlag(
    'service-account-issuer',
    'ISSUER',
    'the issuer of ServiceAccount tokens; further issuers are accepted',
  ),
  serviceAccountKeyFile: repeatedFlag(
    'service-account-key-file',
    'FILE',
    'keys or certificates (PEM) that verify ServiceAccount tokens',
  ),
  serviceAccountSigningKeyFile: textFlag(
    'service-account-signing-key-file',
    'FILE',
    'the key (PEM) that signs ServiceAccount tokens; default: one of kadmit',
  ),
  apiAudiences: namesFlag('api-audiences', 'the audiences that tokens must have; default: the issuers'),
  serviceAccountLookup: switchFlag(
    'service-account-lookup',
    'refuse tokens whose ServiceAccount or bound object was deleted',
    true,
  ),
  serviceAccountExtendTokenExpiration: switchFlag(
    'service-account-extend-token-expiration',
    'extend the lifetime of the tokens that admission adds to Pods to a year',
    true,
  ),
  serviceAccountMaxTokenExpiration: durationFlag(
    'service-account-max-token-expiration',
    'the longest lifetime of ServiceAccount tokens; 0: no limit',
  ),
  enableBootstrapTokenAuth: switchFlag(
    'enable-bootstrap-token-auth',
    'accept bearer tokens of Secrets of type bootstrap.kubernetes.io/token',
  ),
  anonymousAuth: switchFlag('anonymous-auth', 'accept requests without credentials as system:anonymous', true),
  authenticationConfig: textFlag(
    'authentication-config',
    'FILE',
    'an AuthenticationConfiguration: its field anonymous selects the paths open to anonymous requests',
  ),
  requestheaderClientCaFile: textFlag(
    'requestheader-client-ca-file',
    'FILE',
    'CAs (PEM) of proxies that name the user in headers; the ConfigMap extension-apiserver-authentication publishes this ' +
      'flag and those below',
  ),
  requestheaderAllowedNames: namesFlag('requestheader-allowed-names', 'the common names of such proxies; default: any'),
  requestheaderUsernameHeaders: namesFlag(
    'requestheader-username-headers',
    'headers with the user, such as X-Remote-User',
  ),
  requestheaderUidHeaders: namesFlag('requestheader-uid-headers', 'headers with the UID'),
  requestheaderGroupHeaders: namesFlag('requestheader-group-headers', 'headers with groups, such as X-Remote-Group'),
  requestheaderExtraHeadersPrefix: namesFlag(
    'requestheader-extra-headers-prefix',
    'prefixes of headers with extra fields, such as X-Remote-Extra-',
  ),
};

export const authorizationFlags = {
  authorizationMode: namesFlag(
    'authorization-mode',
    'authorizers in order, the first that allows decides: RBAC (default), Node (kubelets read what their Pods ' +
      'use), ABAC, AlwaysAllow or AlwaysDeny',
    { argument: 'MODE[,MODE]' },
  ),
  authorizationPolicyFile: textFlag('authorization-policy-file', 'FILE', 'the policies of ABAC, a JSON object a line'),
};
