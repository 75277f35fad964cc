import { trimRight } from '../../../machinery/go/strings.ts';
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../../../machinery/meta/field-error.ts';
import { parseGoUrl } from '../../../machinery/go/go-url.ts';
import { prefixedPathErrors } from '../../../machinery/meta/names.ts';
import type {
  ClaimMappings,
  JwtAuthenticator,
  JwtIssuer,
  PrefixedClaim,
} from '../../../apiserver/auth/jwt/jwt-authenticator.ts';

export interface JwtChecks {
  /** Issuers of ServiceAccount tokens, which authenticators may not use. */
  readonly disallowedIssuers: readonly string[];
  /** `isRule`: the type must be bool. */
  readonly expressionFault: (expression: string, variable: 'claims' | 'user', isRule: boolean) => string | undefined;
  readonly usesClaim: (expression: string, claim: string) => boolean;
  readonly certificateFault: (pem: string) => string | undefined;
}

const max = 64;

/** Follows apiserver pkg/apis/apiserver/validation/validation.go ValidateAuthenticationConfiguration. */
export function jwtErrors(authenticators: readonly JwtAuthenticator[], checks: JwtChecks): readonly FieldError[] {
  if (authenticators.length > max) return [tooMany('jwt', authenticators.length, max)];
  return authenticators.flatMap((authenticator, index) => {
    const at = `jwt[${index}]`;
    const { url, discoveryURL } = authenticator.issuer;
    const before = authenticators.slice(0, index).map(({ issuer }) => issuer);
    return [
      ...authenticatorErrors(authenticator, at, checks),
      ...(before.some((issuer) => issuer.url === url) ? [duplicate(`${at}.issuer.url`, url)] : []),
      ...(discoveryURL !== '' && before.some((issuer) => issuer.discoveryURL === discoveryURL)
        ? [duplicate(`${at}.issuer.discoveryURL`, discoveryURL)]
        : []),
    ];
  });
}

const authenticatorErrors = (jwt: JwtAuthenticator, at: string, checks: JwtChecks): readonly FieldError[] => [
  ...issuerErrors(jwt.issuer, `${at}.issuer`, checks),
  ...claimRuleErrors(jwt, `${at}.claimValidationRules`, checks),
  ...mappingErrors(jwt, `${at}.claimMappings`, checks),
  ...userRuleErrors(jwt, `${at}.userValidationRules`, checks),
];

function issuerErrors(issuer: JwtIssuer, at: string, checks: JwtChecks): readonly FieldError[] {
  const { url, discoveryURL, certificateAuthority: ca, egressSelectorType: egress } = issuer;
  const bare = (text: string): string => trimRight(text, '/');
  const fault = ca === '' ? undefined : checks.certificateFault(ca);
  return [
    ...(url === '' ? [required(`${at}.url`, '')] : urlErrors(url, `${at}.url`, checks.disallowedIssuers)),
    ...(discoveryURL !== '' && url !== '' && bare(url) === bare(discoveryURL)
      ? [invalidValue(`${at}.discoveryURL`, discoveryURL, 'discoveryURL must be different from URL')]
      : []),
    ...(discoveryURL === '' ? [] : urlErrors(discoveryURL, `${at}.discoveryURL`, [])),
    ...audienceErrors(issuer, at),
    ...(fault === undefined ? [] : [invalidValue(`${at}.certificateAuthority`, '<omitted>', fault)]),
    ...(egress === '' || egress === 'controlplane' || egress === 'cluster'
      ? []
      : [invalidValue(`${at}.egressSelectorType`, egress, 'egress selector must be either controlplane or cluster')]),
  ];
}

function urlErrors(text: string, at: string, disallowed: readonly string[]): readonly FieldError[] {
  const overlap = `URL must not overlap with disallowed issuers: [${disallowed.toSorted().join(' ')}]`;
  const first = disallowed.includes(text) ? [invalidValue(at, text, overlap)] : [];
  const parsed = parseGoUrl(text);
  if (parsed.outcome === 'unparsable') return [...first, invalidValue(at, text, parsed.error)];
  const { scheme, userinfo, query, fragment } = parsed.url;
  return [
    ...first,
    ...(scheme === 'https' ? [] : [invalidValue(at, text, 'URL scheme must be https')]),
    ...(userinfo === undefined ? [] : [invalidValue(at, text, 'URL must not contain a username or password')]),
    ...(query === '' ? [] : [invalidValue(at, text, 'URL must not contain a query')]),
    ...(fragment === '' ? [] : [invalidValue(at, text, 'URL must not contain a fragment')]),
  ];
}

function audienceErrors({ audiences, audienceMatchPolicy: policy }: JwtIssuer, at: string): readonly FieldError[] {
  const field = `${at}.audiences`;
  if (audiences.length === 0) return [required(field, `at least one ${field} is required`)];
  const each = audiences.flatMap((audience, index) => [
    ...(audience === '' ? [required(`${field}[${index}]`, '')] : []),
    ...(audiences.indexOf(audience) < index ? [duplicate(`${field}[${index}]`, audience)] : []),
  ]);
  if (policy === 'MatchAny' || (audiences.length === 1 && policy === '')) return each;
  const detail =
    audiences.length > 1
      ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
      : 'audienceMatchPolicy must be empty or MatchAny for single audience';
  return [...each, invalidValue(`${at}.audienceMatchPolicy`, policy, detail)];
}

const compiled = (at: string, expression: string, fault: string | undefined): readonly FieldError[] =>
  fault === undefined ? [] : [invalidValue(at, expression, fault)];

function claimRuleErrors(
  { claimValidationRules: rules }: JwtAuthenticator,
  field: string,
  checks: JwtChecks,
): readonly FieldError[] {
  return rules.flatMap(({ claim, requiredValue, expression, message }, index) => {
    const at = `${field}[${index}]`;
    const before = rules.slice(0, index);
    if (claim !== '' && expression !== '') return [invalidValue(at, claim, "claim and expression can't both be set")];
    if (claim === '' && expression === '') return [required(at, 'claim or expression is required')];
    if (claim !== '') {
      const isTwice = before.some((rule) => rule.expression === '' && rule.claim === claim);
      return [
        ...(message === '' ? [] : [invalidValue(`${at}.message`, message, 'may not be specified when claim is set')]),
        ...(isTwice ? [duplicate(`${at}.claim`, claim)] : []),
      ];
    }
    const isTwice = before.some((rule) => rule.claim === '' && rule.expression === expression);
    return [
      ...(requiredValue === ''
        ? []
        : [invalidValue(`${at}.requiredValue`, requiredValue, 'may not be specified when expression is set')]),
      ...(isTwice
        ? [duplicate(`${at}.expression`, expression)]
        : compiled(`${at}.expression`, expression, checks.expressionFault(expression, 'claims', true))),
    ];
  });
}

function mappingErrors(jwt: JwtAuthenticator, at: string, checks: JwtChecks): readonly FieldError[] {
  const { username, groups, uid, extra } = jwt.claimMappings;
  const uidErrors =
    uid.claim !== '' && uid.expression !== ''
      ? [invalidValue(`${at}.uid`, '', "claim and expression can't both be set")]
      : uid.expression === ''
        ? []
        : compiled(`${at}.uid.expression`, uid.expression, checks.expressionFault(uid.expression, 'claims', false));
  return [
    ...prefixedErrors(username, `${at}.username`, true, checks),
    ...prefixedErrors(groups, `${at}.groups`, false, checks),
    ...uidErrors,
    ...extraErrors(extra, `${at}.extra`, checks),
    ...emailErrors(jwt, at, checks),
  ];
}

function prefixedErrors(
  { claim, prefix, expression }: PrefixedClaim,
  at: string,
  isRequired: boolean,
  checks: JwtChecks,
): readonly FieldError[] {
  if (expression !== '' && claim !== '') return [invalidValue(at, '', "claim and expression can't both be set")];
  if (expression === '' && claim === '') return isRequired ? [required(at, 'claim or expression is required')] : [];
  if (expression !== '') {
    return [
      ...(prefix === null ? [] : [invalidValue(`${at}.prefix`, prefix, 'may not be specified when expression is set')]),
      ...compiled(`${at}.expression`, expression, checks.expressionFault(expression, 'claims', false)),
    ];
  }
  const detail = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
  return prefix === null ? [required(`${at}.prefix`, detail)] : [];
}

const reserved = /^(?:.*\.)?(?:kubernetes\.io|k8s\.io)\//;

function extraErrors(extra: ClaimMappings['extra'], field: string, checks: JwtChecks): readonly FieldError[] {
  return extra.flatMap(({ key, valueExpression }, index) => {
    const at = `${field}[${index}]`;
    const ofKey = [
      ...prefixedPathErrors(`${at}.key`, key),
      ...(key === key.toLowerCase() ? [] : [invalidValue(`${at}.key`, key, 'must be lowercase')]),
      ...(reserved.test(key)
        ? [invalidValue(`${at}.key`, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use')]
        : []),
    ];
    if (extra.slice(0, index).some((other) => other.key === key)) return [...ofKey, duplicate(`${at}.key`, key)];
    if (valueExpression === '') return [...ofKey, required(`${at}.valueExpression`, '')];
    const fault = checks.expressionFault(valueExpression, 'claims', false);
    return [...ofKey, ...compiled(`${at}.valueExpression`, valueExpression, fault)];
  });
}

/** A username from the email requires a check that the email is verified. */
function emailErrors(
  { claimMappings, claimValidationRules }: JwtAuthenticator,
  at: string,
  { usesClaim }: JwtChecks,
): readonly FieldError[] {
  const { username, extra } = claimMappings;
  if (username.expression === '' || !usesClaim(username.expression, 'email')) return [];
  const expressions = [
    username.expression,
    ...extra.map(({ valueExpression }) => valueExpression),
    ...claimValidationRules.map(({ expression }) => expression),
  ];
  if (expressions.some((expression) => usesClaim(expression, 'email_verified'))) return [];
  const detail =
    'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';
  return [invalidValue(`${at}.username.expression`, username.expression, detail)];
}

function userRuleErrors(
  { userValidationRules: rules }: JwtAuthenticator,
  field: string,
  checks: JwtChecks,
): readonly FieldError[] {
  return rules.flatMap(({ expression }, index) => {
    const at = `${field}[${index}].expression`;
    if (expression === '') return [required(at, '')];
    if (rules.slice(0, index).some((rule) => rule.expression === expression)) return [duplicate(at, expression)];
    return compiled(at, expression, checks.expressionFault(expression, 'user', true));
  });
}
