import { aggregateText } from '../../machinery/errors.ts';
import type { Tokens } from './token-file.ts';
import type { UserInfo } from './user.ts';

/** `audiences` are those the token is valid for. */
export type TokenVerdict =
  | { readonly outcome: 'verified'; readonly user: UserInfo; readonly audiences: readonly string[] }
  /** Unknown token, or the errors of the sources. */
  | { readonly outcome: 'invalid'; readonly error: string };

/** Default audiences: the API server's own. */
export type VerifyToken = (token: string, audiences?: readonly string[]) => Promise<TokenVerdict>;

/** undefined for an unknown token. */
export type TokenSource = (token: string, audiences: readonly string[]) => Promise<TokenVerdict | undefined>;

/**
 * Tries each source in order. Follows apiserver pkg/authentication/token/union/union.go and
 * pkg/authentication/request/bearertoken/bearertoken.go.
 */
export const createTokenVerifier =
  (sources: readonly TokenSource[], apiAudiences: readonly string[]): VerifyToken =>
  async (token, audiences = apiAudiences) => {
    const errors = ['invalid bearer token'];
    for (const source of sources) {
      // oxlint-disable-next-line no-await-in-loop -- the first source that knows it decides
      const verdict = await source(token, audiences);
      if (verdict?.outcome === 'verified') return verdict;
      if (verdict) errors.push(verdict.error);
    }
    return { outcome: 'invalid', error: aggregateText(errors) };
  };

/** Valid for every audience of the API server. Follows apiserver pkg/authentication/authenticator/audagnostic.go. */
export const tokenFileSource =
  (tokens: Tokens, apiAudiences: readonly string[]): TokenSource =>
  async (token, audiences) => {
    const user = tokens.get(token);
    const served = apiAudiences.filter((audience) => audiences.includes(audience));
    return user && served.length > 0 ? { outcome: 'verified', user, audiences: served } : undefined;
  };
