import type { ImagePolicy } from '../../src/apiserver/admission/plugins/image-policy-webhook.ts';
import type { CallReply } from '../../src/apiserver/admission/webhooks/call.ts';

/** A configuration of ImagePolicyWebhook that remembers approvals for a second and denials not at all. */
export const imagePolicy: ImagePolicy = {
  kubeconfigFile: 'backend.kubeconfig',
  backend: { url: 'https://127.0.0.1:1/image', caBundle: '', insecure: true, user: undefined },
  allowMs: 1000,
  denyMs: 0,
  retryBackoffMs: 500,
  defaultAllow: false,
};

/** An ImageReview as its backend answers it. */
export const reviewed = (status: object, code = 200): CallReply => ({
  outcome: 'answered',
  code,
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify({ apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview', status })),
});
