import type { FieldManager } from '../../api/apply/field-manager.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { Release } from '../../api/release/release.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import type { Clock, NewUid, Random, YieldIfLong } from '../../machinery/clock.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { LoopbackClient } from '../../machinery/meta/cluster-view.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { AdmissionChain } from '../admission/chain/create-chain.ts';
import type { Authorize } from '../auth/authorizer.ts';
import type { Impersonate } from '../auth/impersonation/impersonate.ts';
import type { RuleResolver } from '../auth/rbac/rule-resolver.ts';
import type { UserInfo } from '../auth/user.ts';
import type { CustomRow } from '../custom-resources/custom-codec.ts';
import type { ClusterCache } from '../storage/cluster-cache.ts';
import type { Storage } from '../storage/storage.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import type { Exchange, RequestTarget } from './exchange.ts';

/** Handles the objects of one resource. */
export type ObjectServer = Pick<RequestTarget, 'strategy' | 'codec' | 'fields' | 'hub'>;

/** What the stages use of other folders and of the outside; created by app/compose/create-api.ts. */
export interface HandlerDeps {
  readonly release: Release;
  readonly catalogue: Catalogue;
  readonly codec: Codec;
  readonly chain: AdmissionChain;
  readonly api: LoopbackClient;
  readonly storage: Storage;
  readonly cluster: ClusterCache;
  readonly strategyFor: (resource: GroupResource) => Strategy;
  /** Of a custom resource; a request keeps its server to the end. */
  readonly serveCustom: (
    row: CustomRow,
    exchange: Pick<Exchange, 'request' | 'journal' | 'deadline' | 'deadlineSource'>,
  ) => ObjectServer;
  readonly authenticate: (request: ApiRequest) => Promise<Result<UserInfo>>;
  readonly impersonate: Impersonate;
  readonly authorize: Authorize;
  /** For RBAC's escalation checks, whatever the authorization mode. */
  readonly resolver: RuleResolver;
  readonly clock: Clock;
  readonly newUid: NewUid;
  readonly yieldIfLong: YieldIfLong;
  readonly random: Random;
  readonly fields: FieldManager;
  readonly bodies: BodyFormats;
  readonly virtual: Virtual;
  /** Warns about kinds without a controller here. */
  readonly storedOnly?: (resource: GroupResource) => string | undefined;
  /** Warns about an object that waits for a Node. */
  readonly pendingWarning?: (resource: GroupResource, namespace: string, name: string) => string | undefined;
  /** Loads the CEL engine once. */
  readonly loadConditions: () => Promise<void>;
  /** Loads the schema engine once. */
  readonly loadDefinitions: () => Promise<void>;
  readonly serviceClusterIpRange: string;
  /** Milliseconds; default: a minute. */
  readonly maxRequestMs?: number;
  /** Milliseconds; 0: unlimited, default: about 45 minutes. */
  readonly minWatchMs?: number;
  /** Discovery, OpenAPI, health; undefined for an unserved path. */
  readonly serveDocument: (request: ApiRequest, user: UserInfo) => Promise<ApiResponse | undefined>;
}

/** Loaded on first use. */
export interface BodyFormats {
  /** JSON text with an error per duplicate key, or the parser's error. */
  readonly yamlToJson: (
    text: string,
  ) => Promise<
    | { readonly ok: true; readonly text: string; readonly duplicates: readonly string[] }
    | { readonly ok: false; readonly error: string }
  >;
  readonly readProtobuf: (
    body: Uint8Array,
  ) => Promise<
    { readonly ok: true; readonly object: KubernetesObject } | { readonly ok: false; readonly error: string }
  >;
}

/** Resources that are never stored: access reviews, tokens. */
export interface Virtual {
  /** undefined for other kinds. */
  readonly answerReview: (
    review: KubernetesObject,
    user: UserInfo,
    namespace: string,
  ) => Promise<Result<KubernetesObject> | undefined>;
  /** Sets defaults, or 422. */
  readonly completeToken: (request: KubernetesObject) => Result<KubernetesObject>;
  /** `serviceAccount` as stored. */
  readonly issueToken: (
    request: KubernetesObject,
    serviceAccount: KubernetesObject,
  ) => Promise<Result<KubernetesObject>>;
}
