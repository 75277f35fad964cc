import { unescaped } from '../../machinery/go/go-url.ts';
import type { UserInfo } from './user.ts';

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
export function userOfHeaders(headers: SentHeaders, trust: ProxyTrust): UserInfo | undefined {
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
      const key = unescaped(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), ...headers.values(name)]);
    }
  }
  return Object.fromEntries(extra);
}
