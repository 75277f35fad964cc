import type { FieldManager } from '../../api/apply/field-manager.ts';
import type { Codec } from '../../api/codec/codec.ts';
import type { Release } from '../../api/release/release.ts';
import type { Strategy } from '../../api/strategy/strategy.ts';
import type { Catalogue } from '../../api/types/catalogue/catalogue.ts';
import type { Clock, NewUid, Random } from '../../machinery/clock.ts';
import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { OwnRequests } from '../../machinery/meta/own-requests.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { YieldIfLong } from '../../machinery/yield-if-long.ts';
import type { AdmissionChain } from '../admission/chain/chain-plugin.ts';
import type { Authorize } from '../auth/authorizer.ts';
import type { Impersonate } from '../auth/impersonation/impersonate.ts';
import type { RuleResolver } from '../auth/rbac/rule-resolver.ts';
import type { UserInfo } from '../auth/user.ts';
import type { CustomRow } from '../custom-resources/custom-codec.ts';
import type { ClusterCache } from '../storage/cluster-cache.ts';
import type { Storage } from '../storage/storage.ts';
import type { ApiRequest, ApiResponse } from './api-request.ts';
import type { Exchange, Target } from './exchange.ts';
import type { EnterInFlight } from './in-flight.ts';

/** What handles the objects of one resource. */
export type ObjectServer = Pick<Target, 'strategy' | 'codec' | 'fields' | 'hub'>;

/** What the stages need of the other rooms and of the outside, as functions. Filled in by app/compose/create-api.ts. */
export interface Rooms {
  readonly release: Release;
  readonly catalogue: Catalogue;
  readonly codec: Codec;
  readonly chain: AdmissionChain;
  readonly api: OwnRequests;
  /** Where objects are written, and read when it must be what is stored now. */
  readonly storage: Storage;
  /** What is read at once, and watched. */
  readonly cluster: ClusterCache;
  readonly strategyFor: (resource: GroupResource) => Strategy;
  /** What handles the objects of a custom resource, as it is defined now; a request keeps it to its end. */
  readonly serveCustom: (
    row: CustomRow,
    exchange: Pick<Exchange, 'request' | 'journal' | 'deadline' | 'timedBy'>,
  ) => ObjectServer;
  readonly authenticate: (request: ApiRequest) => Promise<Result<UserInfo>>;
  /** The user whom the Impersonate headers name, if the real one may be them. */
  readonly impersonate: Impersonate;
  readonly authorize: Authorize;
  /** What RBAC's own rules about roles and bindings read, whoever authorizes. */
  readonly resolver: RuleResolver;
  readonly clock: Clock;
  readonly newUid: NewUid;
  readonly yieldIfLong: YieldIfLong;
  readonly random: Random;
  readonly fields: FieldManager;
  readonly bodies: BodyFormats;
  readonly virtual: Virtual;
  /** What a client is warned of who creates an object of which nothing will come. */
  readonly storedOnly?: (resource: GroupResource) => string | undefined;
  /** Loads what compiles and evaluates CEL, once. */
  readonly loadConditions: () => Promise<void>;
  /** Loads what knows schemas of custom resources, once. */
  readonly loadDefinitions: () => Promise<void>;
  readonly serviceClusterIpRange: string;
  /** Where there is a limit to how many requests are under way at once. */
  readonly enterInFlight?: EnterInFlight | undefined;
  /** How long a request may take, in milliseconds; a minute unless said. */
  readonly longestRequestMs?: number;
  /** Watches last so long at least, in milliseconds; 0: for good. About 45 minutes unless said. */
  readonly leastWatchMs?: number;
  /** Answers for paths that name no resource: discovery, OpenAPI, health; undefined for a path nobody serves. */
  readonly serveDocument: (request: ApiRequest, user: UserInfo) => Promise<ApiResponse | undefined>;
}

/** Readers of bodies that are not JSON; loaded when first needed. */
export interface BodyFormats {
  /** YAML to JSON text and a complaint for every key given twice, or the parser's complaint. */
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

/** Resources that are answered and never stored: access reviews, tokens. */
export interface Virtual {
  /** The review with its status filled; undefined for a kind that is none. */
  readonly answerReview: (
    review: KubernetesObject,
    user: UserInfo,
    namespace: string,
  ) => Promise<Result<KubernetesObject> | undefined>;
  /** A TokenRequest with its defaults, or 422. */
  readonly completeToken: (request: KubernetesObject) => Result<KubernetesObject>;
  /** A TokenRequest with its token; `serviceAccount` as stored. */
  readonly issueToken: (
    request: KubernetesObject,
    serviceAccount: KubernetesObject,
  ) => Promise<Result<KubernetesObject>>;
}
