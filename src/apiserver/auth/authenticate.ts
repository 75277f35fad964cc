import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { unauthorized } from '../../machinery/meta/status.ts';
import type { TokenVerdict, VerifyToken } from './bearer-token.ts';
import { allAuthenticated, allUnauthenticated, anonymousName, type UserInfo } from './user.ts';
import { unescapeUrl } from '../../machinery/go/go-url.ts';

export interface Credentials {
  readonly authorization: string | undefined;
  /** Verified against the client CA. */
  readonly certificate: CertificateSubject | undefined;
  /** Verified against the CA of authenticating proxies. */
  readonly proxyCertificate?: CertificateSubject | undefined;
  readonly headers?: SentHeaders | undefined;
}

export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The attributes 1.3.6.1.4.1.57683.2 of the subject; more than one is an error. */
  readonly uids?: readonly string[];
  /** SHA-256 in lower-case hex; it becomes the credential id. */
  readonly fingerprint?: string;
}

export interface Authenticators {
  readonly verifyToken: VerifyToken;
  readonly anonymousAuth: boolean;
  readonly proxies?: ProxyTrust | undefined;
  /** Whether the feature gate `certificateUids` is on. */
  readonly readsCertificateUids?: boolean;
}

/** The feature gate of UIDs in client certificates. */
export const certificateUids = 'AllowParsingUserUIDFromCertAuth';

/**
 * Proxy headers first, then the certificate, then the token. Follows apiserver
 * pkg/authentication/request/union/union.go and kubernetes pkg/kubeapiserver/authenticator/config.go.
 */
export async function authenticate(
  credentials: Credentials,
  authenticators: Authenticators,
): Promise<Result<UserInfo>> {
  const { verifyToken, anonymousAuth } = authenticators;
  const presented = userOfCertificates(credentials, authenticators);
  if (presented.user) return ok(withAuthenticated(presented.user));
  const token = bearerToken(credentials.authorization);
  if (token !== undefined) {
    const verdict = await verifyToken(token);
    return verdict.outcome === 'verified' ? ok(withAuthenticated(verdict.user)) : refuse(unauthorized());
  }
  // Invalid credentials do not fall back to anonymous.
  return anonymousAuth && !presented.isRefused ? ok(anonymous) : refuse(unauthorized());
}

interface PresentedUser {
  readonly user?: UserInfo | undefined;
  /** Without a valid token the request is refused. */
  readonly isRefused: boolean;
}

function userOfCertificates(
  credentials: Credentials,
  { proxies, readsCertificateUids = true }: Authenticators,
): PresentedUser {
  const byProxy = proxies ? proxyUser(credentials, proxies) : { isRefused: false };
  if (byProxy.user || !credentials.certificate) return byProxy;
  const { user, isRefused } = certificateUser(credentials.certificate, readsCertificateUids);
  return { user, isRefused: isRefused || byProxy.isRefused };
}

/** The user from proxy headers, unless the certificate or its name is not trusted. */
function proxyUser({ certificate, proxyCertificate, headers }: Credentials, trust: ProxyTrust): PresentedUser {
  if (!proxyCertificate) return { isRefused: certificate !== undefined };
  const { allowedNames } = trust;
  if (allowedNames.length > 0 && !allowedNames.includes(proxyCertificate.commonName)) return { isRefused: true };
  return { user: headers && readProxyHeaders(headers, trust), isRefused: certificate === undefined };
}

/** Adds the groups of an authenticated request. */
export const withGroups = (verdict: TokenVerdict): TokenVerdict =>
  verdict.outcome === 'verified' ? { ...verdict, user: withAuthenticated(verdict.user) } : verdict;

const anonymous: UserInfo = { username: anonymousName, uid: '', groups: [allUnauthenticated], extra: {} };

/** Case-insensitive `Bearer`. Follows apiserver pkg/authentication/request/bearertoken/bearertoken.go. */
function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme, token] = (authorization ?? '').trim().split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : undefined;
}

/** CN is the user, O its groups. Follows apiserver pkg/authentication/request/x509/x509.go CommonNameUserConversion. */
function certificateUser(
  { commonName, organizations, uids = [], fingerprint }: CertificateSubject,
  readsUids: boolean,
): PresentedUser {
  if (commonName === '') return { isRefused: false };
  const [uid = '', ...more] = readsUids ? uids : [];
  if (more.length > 0 || (readsUids && uids.includes(''))) return { isRefused: true };
  const extra =
    fingerprint === undefined ? {} : { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] };
  return { user: { username: commonName, uid, groups: organizations, extra }, isRefused: false };
}

function withAuthenticated(user: UserInfo): UserInfo {
  if (user.username === anonymousName) return user;
  if (user.groups.includes(allAuthenticated) || user.groups.includes(allUnauthenticated)) return user;
  return { ...user, groups: [...user.groups, allAuthenticated] };
}

export interface ProxyTrust {
  /** Common names; []: any valid certificate. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** As sent. */
export interface SentHeaders {
  /** Lower case, deduplicated. */
  readonly names: () => readonly string[];
  /** In order; `name` in lower case. */
  readonly values: (name: string) => readonly string[];
}

/** undefined without a user header. Follows apiserver pkg/authentication/request/headerrequest/requestheader.go. */
export function readProxyHeaders(headers: SentHeaders, trust: ProxyTrust): UserInfo | undefined {
  const first = (names: readonly string[]): string =>
    names.map((name) => headers.values(name.toLowerCase())[0] ?? '').find((value) => value !== '') ?? '';
  const username = first(trust.usernameHeaders);
  if (username === '') return undefined;
  const groups = trust.groupHeaders.flatMap((name) => headers.values(name.toLowerCase()));
  return {
    username,
    uid: first(trust.uidHeaders),
    groups: groups.filter((group) => group !== ''),
    extra: extraOf(headers, trust.extraHeaderPrefixes),
  };
}

function extraOf(headers: SentHeaders, prefixes: readonly string[]): UserInfo['extra'] {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes.map((one) => one.toLowerCase())) {
    for (const name of headers.names().filter((one) => one.startsWith(prefix))) {
      const key = unescapeUrl(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...headers.values(name)]);
    }
  }
  return Object.fromEntries(extra);
}
