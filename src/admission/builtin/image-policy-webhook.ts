import { asList, asObject, asString, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { readJson } from '../../apimachinery/json-reader.ts';
import { writeJson } from '../../apimachinery/json-writer.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import { ok } from '../../apimachinery/result.ts';
import type { Result } from '../../apimachinery/result.ts';
import { goQuote } from '../../apimachinery/field-error.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { newForbidden } from '../forbidden.ts';
import type { RefusalSource } from '../outcome.ts';
import type { CompiledInPlugin, PluginAnswer, PluginPorts } from '../plugin.ts';
import type { KubeconfigUser } from '../settings/kubeconfig.ts';
import type { CallReply } from '../webhooks/call.ts';
import { errorOfAnswer, isSuccess } from '../webhooks/response-error.ts';
import { byFile, refusedBy } from '../refused-by.ts';
import { pass } from './handled-resource.ts';
import type { ObjectRequest } from './handled-resource.ts';

/** Whom to ask about images, and how long an answer is remembered: 0 not at all. */
export interface ImagePolicy {
  /** The kubeconfig that says where the backend is, as it was written. */
  readonly kubeconfigFile: string;
  readonly backend: {
    readonly url: string;
    /** Base64 of PEM; '' for the host's own roots. */
    readonly caBundle: string;
    readonly insecure: boolean;
    readonly user: KubeconfigUser | undefined;
  };
  readonly allowMs: number;
  readonly denyMs: number;
  readonly retryBackoffMs: number;
  /** Are images let in that nobody could be asked about? */
  readonly defaultAllow: boolean;
}

const prefix = 'imagepolicywebhook.image-policy.k8s.io/';
const apiVersion = 'imagepolicy.k8s.io/v1alpha1';
const timeoutMs = 30_000;
const attempts = 5;
const backoffFactor = 1.5;
const cacheSize = 1024;

interface Remembered {
  readonly status: JsonObject;
  readonly until: number;
}

/**
 * A backend is asked whether the images of a Pod may run.
 * Follows kubernetes plugin/pkg/admission/imagepolicy/admission.go and apiserver pkg/util/webhook/webhook.go (rule PLG-27).
 */
export function createImagePolicyWebhook(policy: ImagePolicy | undefined): CompiledInPlugin {
  const answers = new Map<string, Remembered>();
  const statusOf = async (spec: JsonObject, asked: ImagePolicy, ports: PluginPorts): Promise<Reviewed> => {
    const key = writeJson(spec);
    const known = answers.get(key);
    if (known && known.until > ports.now()) return { outcome: 'reviewed', status: known.status };
    const reviewed = await review(spec, asked, ports);
    if (reviewed.outcome === 'failed') return reviewed;
    answers.delete(key);
    const { status } = reviewed;
    answers.set(key, { status, until: ports.now() + (status['allowed'] === true ? asked.allowMs : asked.denyMs) });
    if (answers.size > cacheSize) answers.delete(answers.keys().next().value ?? '');
    return reviewed;
  };
  return {
    name: 'ImagePolicyWebhook',
    operations: ['CREATE', 'UPDATE'],
    validate: (request, ports) => {
      const { object } = request;
      if (policy === undefined || object === null || !bringsImages(request)) return pass(request);
      return statusOf(specOf({ ...request, object }), policy, ports).then((reviewed) =>
        answerOf(reviewed, request, policy),
      );
    },
  };
}

const bringsImages = ({ resource, subresource }: AdmissionAttributes): boolean =>
  resource.group === '' &&
  resource.resource === 'pods' &&
  (subresource === '' || subresource === 'ephemeralcontainers');

function specOf({ subresource, namespace, object }: ObjectRequest): JsonObject {
  const pod = asObject(object['spec']);
  const fields = subresource === '' ? ['containers', 'initContainers'] : ['ephemeralContainers'];
  const containers = fields.flatMap((field) => asList(pod[field]).map((one) => shownContainer(asObject(one))));
  const annotations = Object.entries(metadataOf(object).annotations ?? {})
    .filter(([name]) => name.includes('.image-policy.k8s.io/'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(containers.length > 0 && { containers }),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    ...(namespace !== '' && { namespace }),
  };
}

const shownContainer = ({ image }: JsonObject): JsonObject =>
  asString(image) === '' ? {} : { image: asString(image) };

type Reviewed =
  | { readonly outcome: 'reviewed'; readonly status: JsonObject }
  | { readonly outcome: 'failed'; readonly error: string };

/** Asks again, later and later, as long as the backend may recover. */
async function review(spec: JsonObject, policy: ImagePolicy, ports: PluginPorts): Promise<Reviewed> {
  const body = writeJson({ kind: 'ImageReview', apiVersion, metadata: {}, spec, status: { allowed: false } });
  const { url, caBundle, insecure, user } = policy.backend;
  for (let attempt = 1; ; attempt += 1) {
    const reply = await ports.callWebhook({
      webhookName: 'ImagePolicyWebhook',
      clientConfig: { url, caBundle },
      caller: { user, insecure },
      headers: { 'user-agent': 'Go-http-client/1.1' },
      body: `${body}\n`,
      timeoutMs,
    });
    if (attempt === attempts || !mayRecover(reply)) return readReply(reply);
    const jitter = 1 + 0.2 * ports.random();
    await ports.sleep(policy.retryBackoffMs * backoffFactor ** (attempt - 1) * jitter);
  }
}

/** Follows apiserver pkg/util/webhook/webhook.go DefaultShouldRetry. */
const mayRecover = (reply: CallReply): boolean =>
  reply.outcome === 'failed' ? reply.error.includes('connection reset by peer') : [429, 500, 504].includes(reply.code);

function readReply(reply: CallReply): Reviewed {
  if (reply.outcome === 'failed') return reply;
  const { code, contentType } = reply;
  const body = new TextDecoder().decode(reply.body);
  if (!isSuccess(code)) return failed(errorOfAnswer({ code, contentType, body }));
  const reading = readJson(body);
  const review = reading.outcome === 'unreadable' ? undefined : reading.json.value;
  if (!isJsonObject(review)) return failed("couldn't get version/kind; json parse error: no object was answered");
  const { kind, apiVersion: version } = review;
  if (kind !== 'ImageReview' || version !== apiVersion) {
    return failed(`no kind ${goQuote(asString(kind))} is registered for version ${goQuote(asString(version))}`);
  }
  return { outcome: 'reviewed', status: asObject(review['status']) };
}

const failed = (error: string): Reviewed => ({ outcome: 'failed', error });

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
    if (!policy.defaultAllow) return refusedBy(request, newForbidden(request, reviewed.error), byDefaultAllow);
    return ok({ object, annotations: { [`${prefix}failed-open`]: 'true' } });
  }
  const { allowed, reason, auditAnnotations } = reviewed.status;
  const annotations = Object.fromEntries(
    Object.entries(asObject(auditAnnotations)).map(([name, value]) => [prefix + name, asString(value)]),
  );
  if (allowed === true) return ok({ object, annotations });
  const said = asString(reason);
  const message =
    said === ''
      ? 'one or more images rejected by webhook backend'
      : `image policy webhook backend denied one or more images: ${said}`;
  return ok({ object, annotations, refusal: newForbidden(request, message), refusedBy: byBackend(policy) });
}
