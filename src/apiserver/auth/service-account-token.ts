import type { NewUid } from '../../machinery/clock.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../machinery/json/json.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { TokenSource, TokenVerdict } from './bearer-token.ts';
import { decodeJwt, type SignJwt, type VerifyJwt } from './jwt.ts';
import { groupsOfServiceAccount, serviceAccountUsername, type UserInfo } from './user.ts';

export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Seconds after which using the token causes a warning. */
  readonly warnAfter?: number;
  /** The token expires with this object; a pod brings its node. */
  readonly bound?: BoundObject;
  readonly node?: { readonly name: string; readonly uid: string };
}

export interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly name: string;
  readonly uid: string;
}

export interface TokenIssuer {
  readonly issuer: string;
  readonly signJwt: SignJwt;
  readonly newUid: NewUid;
  readonly now: () => number;
}

/** Claims are in Go's order. Follows pkg/serviceaccount/claims.go. */
export async function issueServiceAccountToken(order: TokenClaims, issuer: TokenIssuer): Promise<string> {
  const now = Math.floor(issuer.now() / 1000);
  const claims = {
    aud: order.audiences,
    exp: now + order.expirationSeconds,
    iat: now,
    iss: issuer.issuer,
    jti: issuer.newUid(),
    'kubernetes.io': {
      namespace: order.namespace,
      ...(order.node ? { node: order.node } : {}),
      ...(order.bound ? { [order.bound.kind.toLowerCase()]: reference(order.bound) } : {}),
      serviceaccount: reference(order),
      ...(order.warnAfter === undefined ? {} : { warnafter: now + order.warnAfter }),
    },
    nbf: now,
    sub: serviceAccountUsername(order),
  };
  return issuer.signJwt(claims);
}

const reference = ({ name, uid }: { readonly name: string; readonly uid: string }): JsonObject => ({ name, uid });

export interface TokenVerifierOptions {
  readonly issuers: readonly string[];
  readonly verifyJwt: VerifyJwt;
  readonly cluster: ClusterView;
  readonly now: () => number;
  /** Whether the account and the bound object must exist; default true. */
  readonly lookup?: boolean;
}

/** Checks signature, times, audience, account and bound object. Follows pkg/serviceaccount/jwt.go and claims.go. */
export const serviceAccountSource =
  (checks: TokenVerifierOptions): TokenSource =>
  async (token, audiences) => {
    const jwt = decodeJwt(token);
    if (!jwt || !checks.issuers.includes(asString(jwt.claims['iss']))) return undefined;
    if (!(await checks.verifyJwt(jwt))) return invalid('go-jose/go-jose: error in cryptographic primitive');
    const served = audiencesOf(jwt.claims['aud']).filter((audience) => audiences.includes(audience));
    if (served.length === 0) return invalid(audienceText(jwt.claims['aud'], audiences));
    const problem =
      timeProblem(jwt.claims, checks.now() / 1000) ??
      (checks.lookup === false ? undefined : missingProblem(jwt.claims, checks.cluster));
    if (problem !== undefined) return invalid(problem);
    return { outcome: 'verified', user: userOf(jwt.claims), audiences: served };
  };

const invalid = (error: string): TokenVerdict => ({ outcome: 'invalid', error });

const audiencesOf = (value: JsonValue | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : asList(value).map(asString);

const audienceText = (value: JsonValue | undefined, wanted: readonly string[]): string =>
  `token audiences ${list(audiencesOf(value))} is invalid for the target audiences ${list(wanted)}`;

const list = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`;

/** Tolerated clock difference. */
const leewaySeconds = 60;

function timeProblem({ exp, nbf, iat }: JsonObject, now: number): string | undefined {
  if (typeof nbf === 'number' && now < nbf - leewaySeconds) return 'service account token is not valid yet';
  if (typeof exp === 'number' && now > exp + leewaySeconds) return 'service account token has expired';
  if (typeof iat === 'number' && now < iat - leewaySeconds) return 'service account token is issued in the future';
  return undefined;
}

const invalidated = 'service account token has been invalidated';

function missingProblem(claims: JsonObject, cluster: ClusterView): string | undefined {
  const about = asObject(claims['kubernetes.io']);
  const namespace = asString(about['namespace']);
  const { name, uid } = asObject(about['serviceaccount']);
  const account = cluster.get({ group: '', resource: 'serviceaccounts' }, namespace, asString(name));
  if (!account) return `serviceaccounts ${goQuote(asString(name))} not found`;
  const { uid: accountUid = '' } = metadataOf(account);
  if (accountUid !== uid) return `service account UID (${accountUid}) does not match claim (${asString(uid)})`;
  for (const [kind, resource, isNamespaced] of boundKinds) {
    const bound = about[kind];
    if (!isJsonObject(bound)) continue;
    // Upstream does not check the node of a pod's token.
    if (kind === 'node' && isJsonObject(about['pod'])) continue;
    const object = cluster.get({ group: '', resource }, isNamespaced ? namespace : '', asString(bound['name']));
    if (!object || metadataOf(object).uid !== bound['uid']) return invalidated;
  }
  return undefined;
}

const boundKinds = [
  ['pod', 'pods', true],
  ['secret', 'secrets', true],
  ['node', 'nodes', false],
] as const;

function userOf(claims: JsonObject): UserInfo {
  const about = asObject(claims['kubernetes.io']);
  const namespace = asString(about['namespace']);
  const name = asString(valueAt(about, 'serviceaccount', 'name'));
  const uid = asString(valueAt(about, 'serviceaccount', 'uid'));
  const extra: readonly (readonly [string, string])[] = [
    ['credential-id', claims['jti'] === undefined ? '' : `JTI=${asString(claims['jti'])}`],
    ['node-name', asString(valueAt(about, 'node', 'name'))],
    ['node-uid', asString(valueAt(about, 'node', 'uid'))],
    ['pod-name', asString(valueAt(about, 'pod', 'name'))],
    ['pod-uid', asString(valueAt(about, 'pod', 'uid'))],
  ];
  return {
    username: serviceAccountUsername({ namespace, name }),
    uid,
    groups: groupsOfServiceAccount(namespace),
    extra: Object.fromEntries(
      extra.filter(([, value]) => value !== '').map(([key, value]) => [`authentication.kubernetes.io/${key}`, [value]]),
    ),
  };
}
