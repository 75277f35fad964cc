import { byKey } from '../../../machinery/go/strings.ts';
import { asList, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { UserInfo } from '../user.ts';

/** One JWT authenticator of an AuthenticationConfiguration v1 or of the OIDC flags; '' is unset. */
export interface JwtAuthenticator {
  readonly issuer: JwtIssuer;
  readonly claimValidationRules: readonly ClaimValidationRule[];
  readonly claimMappings: ClaimMappings;
  readonly userValidationRules: readonly JwtValidationRule[];
}

export interface JwtIssuer {
  readonly url: string;
  readonly discoveryURL: string;
  readonly certificateAuthority: string;
  readonly audiences: readonly string[];
  readonly audienceMatchPolicy: string;
  readonly egressSelectorType: string;
}

export interface JwtValidationRule {
  readonly expression: string;
  readonly message: string;
}

/** A claim with its required value, or a boolean expression. */
export interface ClaimValidationRule extends JwtValidationRule {
  readonly claim: string;
  readonly requiredValue: string;
}

export interface ClaimOrExpression {
  readonly claim: string;
  readonly expression: string;
}

export interface PrefixedClaim extends ClaimOrExpression {
  /** null: unset. */
  readonly prefix: string | null;
}

export interface ClaimMappings {
  readonly username: PrefixedClaim;
  readonly groups: PrefixedClaim;
  readonly uid: ClaimOrExpression;
  readonly extra: readonly { readonly key: string; readonly valueExpression: string }[];
}

/** A value, or upstream's error text. */
export type Claimed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

/** Evaluates a compiled expression over the claims or the user. */
export type EvaluateClaims = (expression: string, variable: 'claims' | 'user', value: JsonObject) => Claimed<JsonValue>;

class Refused extends Error {}

const refuse = (error: string): never => {
  throw new Refused(`oidc: ${error}`);
};

/** Maps claims to the user and checks all rules. Follows apiserver plugin/pkg/authenticator/token/oidc/oidc.go. */
export function mapClaims(
  claims: JsonObject,
  { claimMappings, claimValidationRules, userValidationRules }: JwtAuthenticator,
  evaluate: EvaluateClaims,
): Claimed<UserInfo> {
  const value = (what: string, expression: string, wrap = true): JsonValue => {
    const result = evaluate(expression, 'claims', claims);
    if (result.ok) return result.value;
    const error = `expression '${expression}' resulted in error: ${result.error}`;
    if (!wrap) throw new Refused(error);
    return refuse(`error evaluating ${what}: ${error}`);
  };
  try {
    const user: UserInfo = {
      username: usernameOf(claims, claimMappings, value),
      groups: groupsOf(claims, claimMappings, value),
      uid: uidOf(claims, claimMappings, value),
      extra: extraOf(claims, claimMappings, value),
    };
    for (const { claim, requiredValue } of claimValidationRules) {
      if (claim !== '') requireClaim(claims, claim, requiredValue);
    }
    const rules = claimValidationRules.filter(({ expression }) => expression !== '');
    for (const rule of rules) {
      checkRule('claim validation expression', rule, value('claim validation expression', rule.expression));
    }
    for (const rule of userValidationRules) {
      const result = evaluate(rule.expression, 'user', userValue(user));
      const what = 'user info validation rule';
      if (!result.ok)
        refuse(`error evaluating ${what}: expression '${rule.expression}' resulted in error: ${result.error}`);
      else checkRule(what, rule, result.value);
    }
    return { ok: true, value: user };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: error.message };
    throw error;
  }
}

type ValueOf = (what: string, expression: string, wrap?: boolean) => JsonValue;

const userValue = ({ username, uid, groups, extra }: UserInfo): JsonObject => ({ username, uid, groups, extra });

function checkRule(
  what: string,
  { expression, message }: { readonly expression: string; readonly message: string },
  value: JsonValue,
): void {
  if (typeof value !== 'boolean') refuse(`error evaluating ${what}: validation expression must return a boolean`);
  if (value !== true) refuse(`error evaluating ${what}: validation expression '${expression}' failed: ${message}`);
}

function requireClaim(claims: JsonObject, claim: string, wanted: string): void {
  if (!Object.hasOwn(claims, claim)) refuse(`required claim ${claim} not present in ID token`);
  const claimed = textClaim(claims, claim, (error) => refuse(`parse claim ${claim}: ${error}`));
  if (claimed !== wanted) refuse(`required claim ${claim} value does not match. Got = ${claimed}, want = ${wanted}`);
}

/** Go decodes null as an empty string. */
function textClaim(claims: JsonObject, name: string, fail: (error: string) => never): string {
  if (!Object.hasOwn(claims, name)) return fail('claim not present');
  const value = claims[name] ?? null;
  if (value === null) return '';
  return typeof value === 'string' ? value : fail(mismatch(value, 'string'));
}

const mismatch = (value: JsonValue, type: string): string =>
  `json: cannot unmarshal ${goJsonTypeOf(value)} into Go value of type ${type}`;

/** Go's name for a JSON type. */
export function goJsonTypeOf(value: JsonValue): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return Array.isArray(value) ? 'array' : 'object';
}

function usernameOf(
  claims: JsonObject,
  { username: { claim, prefix, expression } }: ClaimMappings,
  value: ValueOf,
): string {
  const what = 'username claim expression';
  if (expression !== '') {
    const name = value(what, expression);
    if (typeof name !== 'string')
      return refuse(`error evaluating ${what}: username claim expression must return a string`);
    return name === '' ? refuse('empty username via CEL expression is not allowed') : name;
  }
  const name = textClaim(claims, claim, (error) => refuse(`parse username claims "${claim}": ${error}`));
  if (claim === 'email' && Object.hasOwn(claims, 'email_verified')) {
    const verified = claims['email_verified'] ?? false;
    if (typeof verified !== 'boolean') refuse(`parse 'email_verified' claim: ${mismatch(verified, 'bool')}`);
    if (verified !== true) refuse('email not verified');
  }
  return `${prefix ?? ''}${name}`;
}

function groupsOf(
  claims: JsonObject,
  { groups: { claim, prefix, expression } }: ClaimMappings,
  value: ValueOf,
): readonly string[] {
  if (claim !== '' && Object.hasOwn(claims, claim)) {
    const claimed = claims[claim] ?? null;
    const isTexts = Array.isArray(claimed) && claimed.every((one) => typeof one === 'string' || one === null);
    if (claimed !== null && typeof claimed !== 'string' && !isTexts)
      refuse(`parse groups claim "${claim}": ${mismatch(claimed, 'string')}`);
    const groups = Array.isArray(claimed) ? claimed : claimed === null ? [] : [claimed];
    return groups.map((group) => `${prefix ?? ''}${typeof group === 'string' ? group : ''}`);
  }
  if (expression === '') return [];
  const what = 'group claim expression';
  return textsOf(value(what, expression), (error) => refuse(`error evaluating ${what}: ${error}`));
}

function uidOf(claims: JsonObject, { uid: { claim, expression } }: ClaimMappings, value: ValueOf): string {
  if (claim !== '') return textClaim(claims, claim, (error) => refuse(`parse uid claim "${claim}": ${error}`));
  if (expression === '') return '';
  const what = 'uid claim expression';
  const uid = value(what, expression);
  return typeof uid === 'string' ? uid : refuse(`error evaluating ${what}: uid claim expression must return a string`);
}

function extraOf(claims: JsonObject, { extra }: ClaimMappings, value: ValueOf): UserInfo['extra'] {
  const { jti } = claims;
  const entries = extra.map(({ key, valueExpression }) => {
    const claimed = value('extra claim expression', valueExpression, false);
    const fail = (error: string): never =>
      refuse(`error evaluating extra claim expression: ${valueExpression}: ${error}`);
    return [key, textsOf(claimed, fail)] as const;
  });
  return Object.fromEntries([
    ...(typeof jti === 'string' && jti !== ''
      ? [['authentication.kubernetes.io/credential-id', [`JTI=${jti}`]] as const]
      : []),
    ...entries.filter(([, values]) => values.length > 0).toSorted(byKey),
  ]);
}

/** Drops empty strings. Follows convertCELValueToStringList. */
function textsOf(value: JsonValue, fail: (error: string) => never): readonly string[] {
  const wrong = 'expression must return a string or a list of strings';
  if (value === null) return [];
  if (isJsonObject(value)) return fail(wrong);
  const all = typeof value === 'string' ? [value] : Array.isArray(value) ? asList(value) : fail(wrong);
  return all.map((one) => (typeof one === 'string' ? one : fail(wrong))).filter((one) => one !== '');
}
