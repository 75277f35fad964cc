import { aggregateText } from './authorizer.ts';
import { decodeJwt } from './jwt.ts';
import type { Jwt } from './jwt.ts';
import type { Tokens } from './token-file.ts';
import type { UserInfo } from './user.ts';

/** What became of one token. `audiences` are those it may be used for. */
export type TokenVerdict =
  | { readonly outcome: 'verified'; readonly user: UserInfo; readonly audiences: readonly string[] }
  /** Nobody knows it, or who does objects. */
  | { readonly outcome: 'invalid'; readonly error: string };

/** `audiences` are those the asker serves; without them, the API server's own. */
export type VerifyToken = (token: string, audiences?: readonly string[]) => Promise<TokenVerdict>;

/** One place where tokens are known; undefined for a token that is not its own. `jwt` is the token, if it is a JWT. */
export type TokenSource = (token: string, audiences: readonly string[], jwt?: Jwt) => Promise<MaybeVerdict>;

type MaybeVerdict = TokenVerdict | undefined;

/**
 * Asks each source in turn until one knows the token; what those say who object comes after upstream's own complaint. Follows apiserver pkg/authentication/token/union/union.go and
 * pkg/authentication/request/bearertoken/bearertoken.go.
 */
export const createTokenVerifier =
  (sources: readonly TokenSource[], apiAudiences: readonly string[]): VerifyToken =>
  async (token, audiences = apiAudiences) => {
    const jwt = decodeJwt(token);
    const errors = ['invalid bearer token'];
    for (const source of sources) {
      // oxlint-disable-next-line no-await-in-loop -- the first source that knows it decides
      const verdict = await source(token, audiences, jwt);
      if (verdict?.outcome === 'verified') return verdict;
      if (verdict) errors.push(verdict.error);
    }
    return { outcome: 'invalid', error: aggregateText(errors) };
  };

/** The tokens of the csv file; they serve every audience of the API server. Follows apiserver pkg/authentication/authenticator/audagnostic.go. */
export const tokenFileSource =
  (tokens: Tokens, apiAudiences: readonly string[]): TokenSource =>
  async (token, audiences) => {
    const user = tokens.get(token);
    const served = apiAudiences.filter((audience) => audiences.includes(audience));
    return user && served.length > 0 ? { outcome: 'verified', user, audiences: served } : undefined;
  };
