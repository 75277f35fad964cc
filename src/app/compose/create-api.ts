import type { Release } from '../../api/release/release.ts';
import { caBundleError } from '../../api/validation/certificates/x509.ts';
import type { LoopbackClient } from '../../machinery/meta/cluster-view.ts';
import { checkPolicyTypes } from '../../apiserver/admission/policies/type-warnings.ts';
import type { CelEngine } from '../../apiserver/admission/matching/expression-engine.ts';
import {
  createLazyExpressions,
  hasExpressions,
  isMostlyPlain,
  type LazyExpressions,
} from '../../apiserver/admission/matching/lazy-expressions.ts';
import { apiserverUser, createClientFactory } from '../../controllers/client.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { createFieldManager } from '../../api/apply/field-manager.ts';
import { type CrdEngine, createLazyEngine } from '../../apiserver/custom-resources/engine.ts';
import { followDefinitions, serveDefinitions } from '../../apiserver/custom-resources/follow-definitions.ts';
import { serveCustom } from '../../apiserver/custom-resources/serve-custom.ts';
import { createPreview, type PreviewOf, type AdmissionPorts, assembleChain } from './create-chain.ts';
import { createSettlingMonitor, waitForDefinitions, type SettlingMonitor } from './quiescence.ts';
import { authenticate, certificateUids, type ProxyTrust } from '../../apiserver/auth/authenticate.ts';
import { bootstrapSource } from '../../apiserver/auth/bootstrap-token.ts';
import { createTokenVerifier, tokenFileSource, type VerifyToken } from '../../apiserver/auth/bearer-token.ts';
import { createImpersonate } from '../../apiserver/auth/impersonation/impersonate.ts';
import type { SignJwt, VerifyJwt } from '../../apiserver/auth/jwt.ts';
import { createReviewer } from '../../apiserver/auth/reviews/answer-review.ts';
import {
  answerTokenRequest,
  completeTokenRequest,
  type TokenLimits,
} from '../../apiserver/auth/reviews/token-request.ts';
import { serviceAccountSource } from '../../apiserver/auth/service-account-token.ts';
import type { Tokens } from '../../apiserver/auth/token-file.ts';
import { timeIsUp } from '../../apiserver/request/exchange.ts';
import { createHandle, type Handle, type Observers } from '../../apiserver/request/handle.ts';
import type { HandlerDeps, Virtual } from '../../apiserver/request/handler-deps.ts';
import { createRequestStrategies, type StrategyOptions } from '../../apiserver/request/strategies.ts';
import type { ClusterCache } from '../../apiserver/storage/cluster-cache.ts';
import type { ClusterState } from './cluster-state.ts';

/** An API server without sockets and controllers. */
export interface ApiServer {
  readonly handle: Handle;
  readonly clusterState: ClusterState;
  readonly definitions: SettlingMonitor;
  readonly preview: PreviewOf;
  readonly serviceClusterIpRange: string;
  /** status.typeChecking of a ValidatingAdmissionPolicy. */
  readonly typeWarnings: (policy: KubernetesObject) => readonly JsonObject[];
  /** Serves the stored CustomResourceDefinitions of a persistent store; call it first. */
  readonly serveStored: () => Promise<void>;
  /** Loads the expression engine for stored webhooks and policies; call it before the first request. */
  readonly ready: () => Promise<void>;
}

type RequestPorts = Pick<
  HandlerDeps,
  'bodies' | 'serveDocument' | 'serviceClusterIpRange' | 'storedOnly' | 'pendingWarning' | 'minWatchMs' | 'maxRequestMs'
>;

export interface ApiServerPorts extends RequestPorts, AdmissionPorts, Pick<StrategyOptions, 'signatureFault'> {
  readonly loadCel: () => Promise<CelEngine>;
  readonly loadCrd: () => Promise<CrdEngine>;
  readonly allowPrivileged: boolean;
  /** Record branches of expressions in traces. */
  readonly coverage?: boolean | undefined;
  readonly identities: Identities;
  readonly observers: Observers;
}

/** Authentication, and the keys of tokens. */
export interface Identities {
  readonly tokens: Tokens;
  readonly anonymousAuth: boolean;
  /** Default: all. */
  readonly anonymousPaths?: readonly string[];
  /** Proxies that set the user in headers. */
  readonly proxies?: ProxyTrust | undefined;
  readonly signJwt: SignJwt;
  readonly verifyJwt: VerifyJwt;
  /** New tokens have the first one. */
  readonly issuers: readonly [first: string, ...more: string[]];
  readonly apiAudiences: readonly string[];
  readonly bootstrapTokens?: boolean;
  /** Lifetime of ServiceAccount tokens; default: as upstream. */
  readonly accountTokens?: AccountTokens;
}

export interface AccountTokens extends TokenLimits {
  readonly lookup: boolean;
}

const defaultTokens: AccountTokens = { maxSeconds: 0, extendsAdmitted: true, lookup: true };

export function createApiServer(clusterState: ClusterState, ports: ApiServerPorts): ApiServer {
  const { cluster, catalogue, release } = clusterState;
  const { clock, newUid, identities, serviceClusterIpRange } = ports;
  const { codec, strategyFor: builtin } = release;
  const expressions = createLazyExpressions(ports.loadCel, { types: codec.types, countsBranches: ports.coverage });
  const verifyToken = tokenVerifier(clusterState, ports);
  const engine = createLazyEngine(ports.loadCrd);
  followDefinitions(cluster, catalogue, engine);
  const definitions = createSettlingMonitor();
  const api: LoopbackClient = (request) => ownRequests(request);
  const { chain, plugins, calls } = assembleChain({ ...ports, ...clusterState, codec, expressions, api });
  const strategyFor = createRequestStrategies(builtin, expressions, engine.get, strategyOptions(ports, release));
  const deps: HandlerDeps = {
    ...ports,
    ...clusterState,
    codec,
    chain,
    api,
    strategyFor,
    serveCustom: (row, { request: { signal }, journal: { now, conversion }, deadline, deadlineSource }) => {
      const late = timeIsUp[deadlineSource];
      return serveCustom(row, { ...ports, codec }, { signal, now, record: conversion, deadline, late });
    },
    loadConditions: expressions.load,
    loadDefinitions: engine.load,
    fields: createFieldManager(codec),
    authenticate: createAuthenticate(verifyToken, identities, release),
    impersonate: createImpersonate(clusterState.authorize),
    virtual: virtualResources(clusterState, ports, verifyToken),
  };
  const handle = createHandle(deps, waitForDefinitions(ports.observers, definitions));
  const makeClient = createClientFactory({ handle, clock, newUid, signal: new AbortController().signal });
  const ownRequests = makeClient(apiserverUser, 'kube-apiserver');
  return {
    handle,
    clusterState,
    definitions,
    serviceClusterIpRange,
    serveStored: () => expressions.load().then(() => serveDefinitions(cluster, catalogue, engine)),
    ready: () => loadExpressionsFor(cluster, expressions),
    preview: createPreview({ cluster, plugins, calls }),
    typeWarnings: (policy) => checkPolicyTypes(policy, { catalogue, checkTypes: expressions.checkTypes }),
  };
}

function createAuthenticate(
  verifyToken: VerifyToken,
  identities: Identities,
  { isOn }: Release,
): HandlerDeps['authenticate'] {
  const readsCertificateUids = isOn(certificateUids);
  return ({ path, headers, certificate, proxyCertificate, sent }) => {
    const authorization = typeof headers['authorization'] === 'string' ? headers['authorization'] : undefined;
    const credentials = { authorization, certificate, proxyCertificate, headers: sent };
    const anonymousAuth = mayBeAnonymous(path, identities);
    return authenticate(credentials, { verifyToken, anonymousAuth, proxies: identities.proxies, readsCertificateUids });
  };
}

/** Follows apiserver pkg/authentication/request/anonymous/anonymous.go. */
const mayBeAnonymous = (path: string, { anonymousAuth, anonymousPaths = [] }: Identities): boolean =>
  anonymousAuth && (anonymousPaths.length === 0 || anonymousPaths.includes(path));

const configurations = [
  'mutatingadmissionpolicies',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingwebhookconfigurations',
];

async function loadExpressionsFor(cluster: ClusterCache, expressions: LazyExpressions): Promise<void> {
  const group = 'admissionregistration.k8s.io';
  const needsThem = (resource: string): boolean =>
    cluster.list({ group, resource }).some((one) => !isMostlyPlain(resource) || hasExpressions(one));
  if (configurations.some(needsThem)) await expressions.load();
}

const strategyOptions = (
  { allowPrivileged, signatureFault }: ApiServerPorts,
  { minor, isOn }: Release,
): StrategyOptions => ({
  release: minor,
  allowPrivileged,
  reservesStaticNames: isOn('ManifestBasedAdmissionControlConfig'),
  caBundleError,
  signatureFault,
});

function tokenVerifier({ cluster }: ClusterState, { identities, clock }: ApiServerPorts): VerifyToken {
  const { issuers, verifyJwt, tokens, apiAudiences, accountTokens = defaultTokens } = identities;
  const bootstrap = identities.bootstrapTokens ? [bootstrapSource({ cluster, apiAudiences, now: clock.now })] : [];
  const accounts = serviceAccountSource({
    issuers,
    verifyJwt,
    cluster,
    now: clock.now,
    lookup: accountTokens.lookup,
  });
  return createTokenVerifier([tokenFileSource(tokens, apiAudiences), accounts, ...bootstrap], apiAudiences);
}

function virtualResources(clusterState: ClusterState, ports: ApiServerPorts, verifyToken: VerifyToken): Virtual {
  const { authorize, rulesOf, cluster } = clusterState;
  const { minor } = clusterState.release;
  const { clock, newUid, identities } = ports;
  const { issuers, signJwt, apiAudiences, accountTokens = defaultTokens } = identities;
  const issuing = {
    ...accountTokens,
    issuer: issuers[0],
    signJwt,
    newUid,
    now: clock.now,
    cluster,
    apiAudiences,
    minor,
  };
  return {
    answerReview: createReviewer({ authorize, rulesOf, verifyToken, now: clock.now, minor }),
    completeToken: (request) => completeTokenRequest(request, { apiAudiences, minor }),
    issueToken: (request, account) => answerTokenRequest(request, account, issuing),
  };
}
