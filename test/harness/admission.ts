import { portsOf } from './builtin-plugin.ts';
import { noDeadline } from '../../src/machinery/meta/deadline.ts';
import type { AdmissionAttributes } from '../../src/apiserver/admission/chain/attributes.ts';
import {
  type AdmissionChain,
  type CallLimits,
  createAdmissionChain,
} from '../../src/apiserver/admission/chain/create-chain.ts';
import { wrapBuiltinPlugin } from '../../src/apiserver/admission/plugins/builtin-plugins.ts';
import type { SyncPlugin } from '../../src/apiserver/admission/chain/plugin.ts';
import type { CallReply, WebhookCall } from '../../src/apiserver/admission/webhooks/call.ts';
import { noStaticManifests } from '../../src/apiserver/admission/configuration/manifests/static-manifests.ts';
import {
  mutatingWebhookPlugin,
  validatingWebhookPlugin,
  type WebhookPluginPorts,
} from '../../src/apiserver/admission/webhooks/plugins.ts';
import { asString, type JsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../src/machinery/meta/object.ts';
import type { Codec } from '../../src/api/codec/codec.ts';
import { recordedRelease } from './recorded-release.ts';

/** The response of a scripted webhook to a review; a string is the complete body. `round` counts its calls from 1. */
export type Respond = (
  request: ReviewRequest,
  round: number,
  timeoutMs: number,
) => ReviewAnswer | CallReply | Promise<ReviewAnswer | CallReply>;

export interface ReviewRequest extends JsonObject {
  readonly uid: string;
  readonly object: KubernetesObject | null;
}

/** Fields of `response`; `patch` is a list of operations. */
export interface ReviewAnswer {
  readonly allowed?: boolean;
  readonly patch?: readonly JsonObject[];
  readonly status?: JsonObject;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: JsonObject;
}

/** A call that the scripted webhook received. */
export interface SeenCall {
  readonly webhook: string;
  readonly timeoutMs: number;
  readonly request: ReviewRequest;
}

export interface AdmissionWorld {
  readonly chain: AdmissionChain;
  readonly calls: readonly SeenCall[];
  readonly clock: { now: number };
}

export interface WorldOptions {
  readonly mutating?: readonly KubernetesObject[];
  readonly validating?: readonly KubernetesObject[];
  /** By webhook name; others allow everything. */
  readonly responses?: Readonly<Record<string, Respond>>;
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly before?: readonly SyncPlugin[];
  readonly ports?: Partial<WebhookPluginPorts>;
}

export const builtinCodec: Codec = recordedRelease.codec;

export const builtinCatalogue = recordedRelease.createCatalogue();

/** A chain of the two webhook plugins; its webhooks are functions, its clock moves only when it is set. */
export function admissionWorld(options: WorldOptions): AdmissionWorld {
  const calls: SeenCall[] = [];
  const rounds = new Map<string, number>();
  const clock = { now: 0 };
  let uids = 0;
  const callWebhook = async ({ webhookName, body, timeoutMs }: WebhookCall): Promise<CallReply> => {
    const review: { readonly request: ReviewRequest; readonly apiVersion: string } = JSON.parse(body);
    calls.push({ webhook: webhookName, timeoutMs, request: review.request });
    const round = (rounds.get(webhookName) ?? 0) + 1;
    rounds.set(webhookName, round);
    const response = (await options.responses?.[webhookName]?.(review.request, round, timeoutMs)) ?? {};
    return 'outcome' in response ? response : httpReply(reviewBody(review.apiVersion, review.request.uid, response));
  };
  const ports: WebhookPluginPorts = {
    catalogue: builtinCatalogue,
    codec: builtinCodec,
    clock: { now: () => clock.now, sleep: async () => {} },
    yieldIfLong: async () => {},
    newUid: () => `uid-${(uids += 1)}`,
    callWebhook,
    parseYaml: async (text) => ({ outcome: 'read', value: text }),
    getNamespace: (name) => namespaceOf(name, options.namespaces?.[name]),
    mutatingConfigurations: () => options.mutating ?? [],
    validatingConfigurations: () => options.validating ?? [],
    staticManifests: noStaticManifests,
    excludesReviews: false,
    authorize: () => ({ allowed: true, reason: '' }),
    ...options.ports,
  };
  const cluster = { get: () => undefined, list: () => [] };
  const authorize = () => ({ allowed: true, reason: '' });
  const pluginPorts = { ...portsOf(cluster), authorize, codec: builtinCodec };
  const before = (options.before ?? []).map((plugin) => wrapBuiltinPlugin(plugin, pluginPorts, ports.clock));
  const chain = createAdmissionChain({
    plugins: [...before, mutatingWebhookPlugin(ports), validatingWebhookPlugin(ports)],
    clock: ports.clock,
    yieldIfLong: ports.yieldIfLong,
  });
  return { chain, calls, clock };
}

const namespaceOf = (
  name: string,
  labels: Readonly<Record<string, string>> | undefined,
): KubernetesObject | undefined => labels && { kind: 'Namespace', apiVersion: 'v1', metadata: { name, labels } };

export function reviewBody(apiVersion: string, uid: string, { patch, ...rest }: ReviewAnswer): JsonValue {
  const patched = patch ? { patchType: 'JSONPatch', patch: btoa(JSON.stringify(patch)) } : {};
  return { kind: 'AdmissionReview', apiVersion, response: { uid, allowed: true, ...rest, ...patched } };
}

/** An HTTP response with any content. */
export const httpReply = (
  body: JsonValue,
  code = 200,
  contentType: string | undefined = 'application/json',
): CallReply => ({
  outcome: 'answered',
  code,
  contentType,
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
});

/** A configuration as stored: every default filled in. */
export function webhookConfiguration(
  kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration',
  name: string,
  webhooks: readonly JsonObject[],
): KubernetesObject {
  const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];
  const complete = webhooks.map((webhook) => ({
    clientConfig: { url: `https://localhost/${asString(webhook['name'])}` },
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...webhook,
  }));
  return builtinCodec.applyDefaults({
    kind,
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata: { name },
    webhooks: complete,
  });
}

export const noLimits: CallLimits = { deadline: noDeadline };

/** The attributes of creating this object, with changes. */
export function creating(object: KubernetesObject, changes: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const kind = { group: group ?? '', version: version ?? '', kind: object.kind };
  const info = builtinCatalogue.forKind(kind);
  const { name = '', namespace = '' } = metadataOf(object);
  return {
    operation: 'CREATE',
    kind,
    resource: { group: kind.group, version: kind.version, resource: info?.resource ?? '' },
    subresource: '',
    name,
    namespace: object.kind === 'Namespace' ? name : namespace,
    object,
    oldObject: null,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    dryRun: false,
    userInfo: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'], extra: {} },
    ...changes,
  };
}

export const configMap = (labels: Readonly<Record<string, string>> = {}): KubernetesObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'one', namespace: 'default', ...(Object.keys(labels).length === 0 ? {} : { labels }) },
  data: { k: 'v' },
});
