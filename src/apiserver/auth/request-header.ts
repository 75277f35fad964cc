import { unescaped } from '../../machinery/json/unescaped.ts';
import type { UserInfo } from './user.ts';

/** Which proxies are believed, and in which headers they name the user. */
export interface ProxyTrust {
  /** Common names; [] for all whose certificate is good. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** The headers of a request as they were sent. */
export interface SentHeaders {
  /** In lower case, each once. */
  readonly names: () => readonly string[];
  /** Those of a header whose name is given in lower case, in order. */
  readonly values: (name: string) => readonly string[];
}

/** Whom a proxy names; undefined: nobody. Follows apiserver pkg/authentication/request/headerrequest/requestheader.go. */
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
