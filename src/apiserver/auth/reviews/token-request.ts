import type { ClusterView } from '../../../machinery/meta/cluster-view.ts';
import { type FieldError, goQuote, invalidValue, notSupported } from '../../../machinery/meta/field-error.ts';
import { dns1123Subdomain } from '../../../machinery/meta/names.ts';
import { gvkText, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, conflict, invalid, notFound, type Status } from '../../../machinery/meta/status.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import {
  type BoundObject,
  issueServiceAccountToken,
  type TokenIssuer,
  type TokenClaims,
} from '../service-account-token.ts';

const defaultSeconds = 3600;

const tokenRequestKind = { group: 'authentication.k8s.io', kind: 'TokenRequest' } as const;

/** Sets defaults, or refuses with 422. Follows pkg/apis/authentication/{v1/defaults,validation/validation}.go. */
export function completeTokenRequest(
  request: KubernetesObject,
  { apiAudiences, minor }: Pick<TokenRequestPorts, 'apiAudiences' | 'minor'>,
): Result<KubernetesObject> {
  const { audiences, expirationSeconds, ...rest } = asObject(request['spec']);
  const seconds = Number(expirationSeconds ?? defaultSeconds);
  const wanted = asList(audiences).length === 0 ? apiAudiences : asList(audiences);
  const invalidDuration = durationErrors(seconds);
  const errors = minor >= 37 ? attestedErrors(rest, wanted, invalidDuration) : invalidDuration;
  if (errors.length > 0) return refuse(invalid(tokenRequestKind, '', errors));
  return ok({ ...request, spec: { audiences: wanted, expirationSeconds: seconds, ...rest } });
}

function durationErrors(seconds: number): readonly FieldError[] {
  const field = 'spec.expirationSeconds';
  if (seconds < 600) return [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds <= 2 ** 32) return [];
  return [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
}

/** Other errors are dropped where attestations are for no webhook, as upstream does. */
function attestedErrors(
  { attestations, boundObjectRef }: JsonObject,
  audiences: readonly JsonValue[],
  errors: readonly FieldError[],
): readonly FieldError[] {
  const field = 'spec.attestations';
  const attested = Object.entries(asObject(attestations));
  const isInvalid = (detail: string): FieldError => invalidValue(field, asObject(attestations), detail);
  if (!isWebhook(asObject(boundObjectRef))) {
    const detail = 'attestations may only be specified with a webhook bound object reference';
    return attested.length === 0 ? errors : [isInvalid(detail)];
  }
  const one = 'webhook bound requests require exactly one admissionReviewAPIGroups attestation';
  return [
    ...errors,
    ...(audiences.length === 1 ? [] : [invalidValue('spec.audiences', audiences, oneAudience)]),
    ...(attested.length === 1 ? attested.flatMap(attestationErrors) : [isInvalid(one)]),
  ];
}

const oneAudience = 'must be length 1 when bound to a webhook config';

const isWebhook = ({ apiVersion, kind }: JsonObject): boolean =>
  apiVersion === 'admissionregistration.k8s.io/v1' && webhookKinds.includes(asString(kind));
const webhookKinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'];

const reviewGroups = 'admissionReviewAPIGroups';

function attestationErrors([key, values]: readonly [string, JsonValue | undefined]): readonly FieldError[] {
  const field = `spec.attestations[${key}]`;
  if (key !== reviewGroups) return [notSupported(field, key, [reviewGroups])];
  const [group, ...others] = asList(values).map(asString);
  if (group === undefined || others.length > 0) {
    return [invalidValue(field, asList(values), 'must specify a single value')];
  }
  if (group === '') return [invalidValue(`${field}[0]`, group, 'may not be an empty string')];
  if (group === '*') return [];
  return dns1123Subdomain(group).map((problem) =>
    invalidValue(`${field}[0]`, group, `must specify a valid API Group: ${problem}`),
  );
}

export interface TokenRequestPorts extends TokenIssuer, TokenLimits {
  readonly cluster: ClusterView;
  readonly apiAudiences: readonly string[];
  readonly minor: number;
}

export interface TokenLimits {
  /** Seconds; 0: unlimited. */
  readonly maxSeconds: number;
  /** Tokens that admission requests for Pods last a year, with a warning after the requested time. */
  readonly extendsAdmitted: boolean;
}

/** The lifetime that admission requests. Follows pkg/serviceaccount/claims.go WarnOnlyBoundTokenExpirationSeconds. */
const admittedSeconds = 3607;
const extendedSeconds = 365 * 24 * 3600;

/** Follows pkg/registry/core/serviceaccount/storage/token.go. */
export async function answerTokenRequest(
  request: KubernetesObject,
  account: KubernetesObject,
  ports: TokenRequestPorts,
): Promise<Result<KubernetesObject>> {
  const spec = asObject(request['spec']);
  const bound = boundObject(spec['boundObjectRef'], account, ports);
  if (!bound.ok) return bound;
  const { name = '', namespace = '', uid = '' } = metadataOf(account);
  const requested = Number(spec['expirationSeconds'] ?? defaultSeconds);
  const { maxSeconds } = ports;
  const expirationSeconds = maxSeconds > 0 ? Math.min(requested, maxSeconds) : requested;
  const audiences = asList(spec['audiences']).map(asString);
  const isOurs = audiences.every((audience) => ports.apiAudiences.includes(audience));
  const isExtended =
    ports.extendsAdmitted && bound.value.bound?.kind === 'Pod' && expirationSeconds === admittedSeconds && isOurs;
  const lifetime = isExtended
    ? { expirationSeconds: extendedSeconds, warnAfter: expirationSeconds }
    : { expirationSeconds };
  const token = await issueServiceAccountToken({ namespace, name, uid, audiences, ...lifetime, ...bound.value }, ports);
  const expirationTimestamp = formatTime(ports.now() + expirationSeconds * 1000);
  return ok({ ...request, spec: { ...spec, expirationSeconds }, status: { token, expirationTimestamp } });
}

type Bound = Result<Pick<TokenClaims, 'bound' | 'node'>>;

const kinds: Readonly<Record<string, { readonly resource: string; readonly kind: BoundObject['kind'] }>> = {
  Pod: { resource: 'pods', kind: 'Pod' },
  Secret: { resource: 'secrets', kind: 'Secret' },
  Node: { resource: 'nodes', kind: 'Node' },
};

function boundObject(
  reference: JsonValue | undefined,
  account: KubernetesObject,
  { cluster, minor }: Pick<TokenRequestPorts, 'cluster' | 'minor'>,
): Bound {
  if (!isJsonObject(reference)) return ok({});
  const [kind, name] = [asString(reference['kind']), asString(reference['name'])];
  const apiVersion = parseApiVersion(asString(reference['apiVersion']));
  const known = Object.hasOwn(kinds, kind) && apiVersion.group === '' ? kinds[kind] : undefined;
  if (!known) {
    const off = ' (feature gate APIServerWebhookAuthenticationToken is disabled)';
    const why = minor >= 37 && isWebhook(reference) ? off : '';
    return refuse(badRequest(`cannot bind token to object of type ${gvkText({ ...apiVersion, kind })}${why}`));
  }
  const resource = { group: '', resource: known.resource };
  const object = cluster.get(resource, kind === 'Node' ? '' : (metadataOf(account).namespace ?? ''), name);
  if (!object) return refuse(notFound(resource, name));
  const status = mismatch(object, reference, account);
  if (status) return refuse(status);
  const bound = { kind: known.kind, name, uid: metadataOf(object).uid ?? '' };
  return ok({ bound, ...nodeOf(object, kind, cluster) });
}

function mismatch(object: KubernetesObject, reference: JsonObject, account: KubernetesObject): Status | undefined {
  const [kind, name, uid] = [asString(reference['kind']), asString(reference['name']), asString(reference['uid'])];
  const { name: accountName = '' } = metadataOf(account);
  if (kind === 'Pod' && valueAt(object, 'spec', 'serviceAccountName') !== accountName) {
    const prefix = `cannot bind token for serviceaccount ${goQuote(accountName)}`;
    return badRequest(`${prefix} to pod running with different serviceaccount name.`);
  }
  if (uid === '' || uid === metadataOf(object).uid) return undefined;
  const text = `the UID in the bound object reference (${uid}) does not match the UID in record.`;
  const why = 'The object might have been deleted and then recreated';
  return conflict({ group: '', resource: kind }, name, `${text} ${why}`);
}

/** A pod's token also has its node. */
function nodeOf(object: KubernetesObject, kind: string, cluster: ClusterView): Pick<TokenClaims, 'node'> {
  const name = kind === 'Pod' ? asString(valueAt(object, 'spec', 'nodeName')) : '';
  if (name === '') return {};
  const node = cluster.get({ group: '', resource: 'nodes' }, '', name);
  return { node: { name, uid: node ? (metadataOf(node).uid ?? '') : '' } };
}
