import { goQuote } from '../../../machinery/meta/field-error.ts';
import { parseGoUrl } from '../../../machinery/go/go-url.ts';
import type { ServerConfig } from '../server-config.ts';
import type { UpstreamOptions } from './options.ts';

/** Follows kubernetes pkg/kubeapiserver/options/authentication.go Validate. */
export function authenticationProblems(config: ServerConfig, options: UpstreamOptions): readonly string[] {
  return [
    ...oidcProblems(config, options),
    ...issuerProblems(config.serviceAccountIssuer),
    ...keysUriProblems(options.text['service-account-jwks-uri']),
    ...headerProblems(options),
  ];
}

function oidcProblems({ authenticationConfig }: ServerConfig, { text, given }: UpstreamOptions): readonly string[] {
  if (![...given.keys()].some((name) => name.startsWith('oidc-'))) return [];
  if (authenticationConfig !== '') return ['authentication-config file and oidc-* flags are mutually exclusive'];
  return text['oidc-issuer-url'] === '' || text['oidc-client-id'] === ''
    ? ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set']
    : [];
}

function issuerProblems(issuers: readonly string[]): readonly string[] {
  return issuers.flatMap((issuer, index) => {
    const parsed = issuer.includes(':') ? parseGoUrl(issuer) : undefined;
    if (parsed?.outcome === 'unparsable') {
      return [`service-account-issuer ${goQuote(issuer)} contained a ':' but was not a valid URL: ${parsed.error}`];
    }
    if (issuer === '') return ['service-account-issuer should not be an empty string'];
    return issuers.indexOf(issuer) < index ? [`service-account-issuer ${goQuote(issuer)} is already specified`] : [];
  });
}

function keysUriProblems(uri: string): readonly string[] {
  if (uri === '') return [];
  const parsed = parseGoUrl(uri);
  if (parsed.outcome === 'unparsable') return [`service-account-jwks-uri must be a valid URL: ${parsed.error}`];
  return parsed.url.scheme === 'https' ? [] : [`service-account-jwks-uri requires https scheme, parsed as: ${uri}`];
}

const headerFlags = [
  'requestheader-username-headers',
  'requestheader-group-headers',
  'requestheader-extra-headers-prefix',
  'requestheader-allowed-names',
  'requestheader-uid-headers',
] as const;

/** Follows apiserver pkg/server/options/authentication.go RequestHeaderAuthenticationOptions Validate. */
function headerProblems({ list, given }: UpstreamOptions): readonly string[] {
  const empty = headerFlags.filter((name) => {
    const said = given.get(name)?.filter((text) => text !== '') ?? [];
    return said.some((text) => text.split(',').some((part) => part.trim() === ''));
  });
  const uids = list['requestheader-uid-headers'];
  return [
    ...empty.map((name) => `empty value in ${goQuote(name)}`),
    ...(uids.length > 0 && !uids.some((header) => header.toLowerCase() === 'x-remote-uid')
      ? [
          '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work',
        ]
      : []),
  ];
}
