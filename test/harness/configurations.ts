/** A configuration of webhooks that match every write of a ConfigMap, each with fields of its own. */
const configuration = (kind: string, webhooks: readonly object[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name: 'hooks' },
  webhooks: webhooks.map((webhook) => ({
    clientConfig: { url: 'https://127.0.0.1:9/' },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...webhook,
  })),
});

export const mutatingConfiguration = (webhooks: readonly object[]) =>
  configuration('MutatingWebhookConfiguration', webhooks);

export const validatingConfiguration = (webhooks: readonly object[]) =>
  configuration('ValidatingWebhookConfiguration', webhooks);
