import {
  readSigningKey,
  readVerifyingKeys,
  type VerifyingKey,
} from '../../adapters/certificates/service-account-key.ts';
import { modesOfFlags } from '../../adapters/config/start-problem.ts';
import { ConfigError, commandFailed } from '../../adapters/config/config-error.ts';
import { readGoFile } from '../../adapters/config/read-files.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { userAdvice } from '../../adapters/config/upstream/unsupported-flags.ts';
import { parseTokenFile, type Tokens } from '../../apiserver/auth/token-file.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { readAuthenticationConfiguration } from './read-authentication-configuration.ts';
import type { Identities } from '../compose/create-api.ts';
import { defaultIssuer } from '../compose/in-process.ts';

export interface ServerIdentities extends Identities {
  /** JSON Web Keys of the keys that verify ServiceAccount tokens. */
  readonly keySet: readonly JsonObject[];
}

/**
 * The authenticators, and the key that signs ServiceAccount tokens: `ownKey` unless flags name others. Throws ConfigError for
 * unusable files. Follows pkg/kubeapiserver/options/authentication.go and pkg/controlplane/apiserver/options/options.go.
 */
export function readIdentities(config: ServerConfig, ownKey: string): ServerIdentities {
  const { serviceAccountSigningKeyFile: signingFile, serviceAccountKeyFile: files } = config;
  const failed = (error: string): string => `failed to parse service-account-issuer-key-file: ${error}`;
  const signingPem = signingFile === '' ? ownKey : readGoFile(signingFile, failed);
  const signJwt = readSigningKey(signingPem);
  if (!signJwt) throw commandFailed(failed(`error reading private key file ${signingFile}: ${noPrivateKey}`));
  const verifiers = files.length === 0 ? readVerifyingKeys(signingPem) : files.flatMap(readKeys);
  const { issuers, apiAudiences } = readAudiences(config);
  return {
    ...readAnonymousAccess(config),
    proxies: proxyTrust(config),
    tokens: readTokens(config.tokenAuthFile),
    signJwt,
    verifyJwt: async (jwt) => (await Promise.all(verifiers.map(({ verify }) => verify(jwt)))).includes(true),
    keySet: verifiers.map(({ jwk }) => jwk),
    issuers,
    bootstrapTokens: config.enableBootstrapTokenAuth,
    accountTokens: {
      maxSeconds: Math.floor(config.serviceAccountMaxTokenExpiration / 1000),
      extendsAdmitted: config.serviceAccountExtendTokenExpiration,
      lookup: config.serviceAccountLookup,
    },
    apiAudiences,
  };
}

/** Enabled by a CA for proxies. */
const proxyTrust = (config: ServerConfig): Identities['proxies'] =>
  config.requestheaderClientCaFile === ''
    ? undefined
    : {
        allowedNames: config.requestheaderAllowedNames,
        usernameHeaders: config.requestheaderUsernameHeaders,
        uidHeaders: config.requestheaderUidHeaders,
        groupHeaders: config.requestheaderGroupHeaders,
        extraHeaderPrefixes: config.requestheaderExtraHeadersPrefix,
      };

/** Accepted issuers of ServiceAccount tokens, and accepted audiences. */
export function readAudiences({
  serviceAccountIssuer,
  apiAudiences,
}: ServerConfig): Pick<Identities, 'issuers' | 'apiAudiences'> {
  const [first = defaultIssuer, ...more] = serviceAccountIssuer;
  return { issuers: [first, ...more], apiAudiences: apiAudiences.length === 0 ? [first, ...more] : apiAudiences };
}

const noPrivateKey = 'data does not contain a valid RSA or ECDSA private key';
const noPublicKey = 'data does not contain any valid RSA or ECDSA public keys';

function readKeys(path: string): readonly VerifyingKey[] {
  const keys = readVerifyingKeys(readGoFile(path));
  if (keys.length === 0) throw commandFailed(`error reading public key file ${path}: ${noPublicKey}`);
  return keys;
}

function readTokens(path: string): Tokens {
  if (path === '') return new Map();
  const tokens = parseTokenFile(readGoFile(path), path);
  if (tokens.outcome === 'unreadable') throw new ConfigError(tokens.error);
  return tokens.tokens;
}

/** Requests without credentials that are accepted. Throws StartFailure. Follows kubernetes pkg/kubeapiserver/options/authentication.go. */
export function readAnonymousAccess(
  config: Pick<ServerConfig, 'anonymousAuth' | 'authenticationConfig' | 'authorizationMode'>,
): Pick<Identities, 'anonymousAuth' | 'anonymousPaths'> {
  const { anonymousAuth, authenticationConfig: path } = config;
  // Anonymous requests with AlwaysAllow would give everyone all permissions: ApplyAuthorization.
  const ofFlags = { anonymousAuth: anonymousAuth && !modesOfFlags(config).includes('AlwaysAllow') };
  if (path === '') return ofFlags;
  const reading = readAuthenticationConfiguration(readGoFile(path), path);
  if (!reading.ok) throw commandFailed(reading.error);
  if (reading.value.hasJwt)
    throw new ConfigError(`--authentication-config ${path}: jwt is not supported: ${userAdvice}`);
  const { anonymous } = reading.value;
  if (anonymous === undefined) return ofFlags;
  if (!anonymousAuth) {
    const both =
      '--anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file';
    throw commandFailed(`anonymous: Forbidden: ${both}`);
  }
  return { anonymousAuth: anonymous.enabled, anonymousPaths: anonymous.paths };
}
