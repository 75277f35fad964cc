import { byKey } from '../../../machinery/go/strings.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { writeJson } from '../../../machinery/json/json-writer.ts';
import { metadataOf, type StringMap } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden, deny, byFile } from '../chain/refusal.ts';
import type { AsyncPlugin, PluginAnswer, PluginPorts, RefusalSource } from '../chain/plugin.ts';
import { callBackend, type Reviewed } from '../webhooks/call-backend.ts';
import type { WebhookBackend } from '../configuration/kubeconfig.ts';
import { type ObjectRequest, onlyFor, pass, podResource } from './handled-resource.ts';
import type { Container, EphemeralContainer, Pod } from '../../../api/types/generated/core-v1.ts';

/** Times of 0 disable the cache. */
export interface ImagePolicy {
  readonly kubeconfigFile: string;
  readonly backend: WebhookBackend;
  readonly allowMs: number;
  readonly denyMs: number;
  readonly retryBackoffMs: number;
  /** Admit images when the backend fails. */
  readonly defaultAllow: boolean;
}

const prefix = 'imagepolicywebhook.image-policy.k8s.io/';
const apiVersion = 'imagepolicy.k8s.io/v1alpha1';
const scheme = 'k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30';
const timeoutMs = 30_000;
const cacheSize = 1024;
/** Characters of a request and its response together, since users choose them. */
const maxCachedLength = 64 * 1024;

/** ImageReviewSpec and ImageReviewStatus, imagepolicy.k8s.io/v1alpha1: not served by any API server. */
type ReviewSpec = {
  readonly containers?: readonly { readonly image?: string }[];
  readonly annotations?: StringMap;
  readonly namespace?: string;
};
type ReviewStatus = { readonly allowed?: boolean; readonly reason?: string; readonly auditAnnotations?: StringMap };

interface Remembered {
  readonly status: ReviewStatus;
  readonly until: number;
}

/**
 * A backend decides whether the images of a Pod may run. Follows kubernetes
 * plugin/pkg/admission/imagepolicy/admission.go and apiserver pkg/util/webhook/webhook.go (rule PLG-27).
 */
export function createImagePolicyWebhook(policy: ImagePolicy | undefined): AsyncPlugin {
  const answers = new Map<string, Remembered>();
  const statusOf = async (spec: ReviewSpec, imagePolicy: ImagePolicy, ports: PluginPorts): Promise<Reviewed> => {
    const key = writeJson(spec);
    const known = answers.get(key);
    if (known && known.until > ports.now()) return { outcome: 'reviewed', status: known.status, bytes: 0 };
    const reviewed = await review(spec, imagePolicy, ports);
    if (reviewed.outcome === 'failed') return reviewed;
    answers.delete(key);
    if (key.length + reviewed.bytes > maxCachedLength) return reviewed;
    const status: ReviewStatus = reviewed.status;
    answers.set(key, {
      status,
      until: ports.now() + (status.allowed === true ? imagePolicy.allowMs : imagePolicy.denyMs),
    });
    if (answers.size > cacheSize) answers.delete(answers.keys().next().value ?? '');
    return reviewed;
  };
  return {
    name: 'ImagePolicyWebhook',
    operations: ['CREATE', 'UPDATE'],
    validate: onlyFor([podResource], async (request, ports) => {
      const { object } = request;
      if (policy === undefined || object === null || !bringsImages(request)) return pass(request);
      return answerOf(await statusOf(specOf({ ...request, object }), policy, ports), request, policy);
    }),
  };
}

const bringsImages = ({ resource, subresource }: AdmissionAttributes): boolean =>
  resource.group === '' &&
  resource.resource === 'pods' &&
  (subresource === '' || subresource === 'ephemeralcontainers');

function specOf({ subresource, namespace, object }: ObjectRequest<Pod>): ReviewSpec {
  const pod = asObject(object.spec);
  const reviewedLists = subresource === '' ? [pod.containers, pod.initContainers] : [pod.ephemeralContainers];
  const containers = reviewedLists.flatMap((list) =>
    asList<Container | EphemeralContainer>(list).map(reviewedContainer),
  );
  const annotations = Object.entries(metadataOf(object).annotations ?? {})
    .filter(([name]) => name.includes('.image-policy.k8s.io/'))
    .toSorted(byKey);
  return {
    ...(containers.length > 0 && { containers }),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    ...(namespace !== '' && { namespace }),
  };
}

const reviewedContainer = ({ image }: Container | EphemeralContainer): JsonObject =>
  asString(image) === '' ? {} : { image: asString(image) };

async function review(spec: ReviewSpec, policy: ImagePolicy, ports: PluginPorts): Promise<Reviewed> {
  const body = { kind: 'ImageReview', apiVersion, metadata: {}, spec, status: { allowed: false } };
  const { backend, retryBackoffMs } = policy;
  const call = { name: 'ImagePolicyWebhook', backend, review: body, scheme, timeoutMs, retryBackoffMs };
  return callBackend(call, ports);
}

const byDefaultAllow = byFile('defaultAllow: false of ImagePolicyWebhook', {
  refused: 'an image',
  allowed: 'an answer of the backend, and there was none',
});

const byBackend = ({ backend: { url }, kubeconfigFile }: ImagePolicy): RefusalSource =>
  byFile(`the backend ${url} (kubeConfigFile ${kubeconfigFile}) of ImagePolicyWebhook`, {
    refused: 'an image',
    allowed: 'what the backend allows',
  });

function answerOf(reviewed: Reviewed, request: AdmissionAttributes, policy: ImagePolicy): Result<PluginAnswer> {
  const { object } = request;
  if (reviewed.outcome === 'failed') {
    if (!policy.defaultAllow) return deny(request, reviewed.error, byDefaultAllow);
    return ok({ object, annotations: { [`${prefix}failed-open`]: 'true' } });
  }
  const { allowed, reason, auditAnnotations }: ReviewStatus = reviewed.status;
  const annotations = Object.fromEntries(
    Object.entries(asObject(auditAnnotations)).map(([name, value]) => [prefix + name, asString(value)]),
  );
  if (allowed === true) return ok({ object, annotations });
  const denial = asString(reason);
  const message =
    denial === ''
      ? 'one or more images rejected by webhook backend'
      : `image policy webhook backend denied one or more images: ${denial}`;
  return ok({ object, annotations, refusal: newForbidden(request, message), refusedBy: byBackend(policy) });
}
