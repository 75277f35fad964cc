const group = 'admissionregistration.k8s.io/v1';

/** Seven webhooks that work and, for objects labelled for them, one that fails, one that hangs and one that resets. */
export function soakConfigurations({ port, ca }) {
  const webhook = (path, more = {}) => ({
    name: `${path.replace('/', '-')}.soak.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 10,
    objectSelector: { matchLabels: { soak: 'yes' } },
    clientConfig: { url: `https://127.0.0.1:${port}/${path}`, caBundle: Buffer.from(ca).toString('base64') },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    ...more,
  });
  const bad = (fate, more) => webhook(fate, { objectSelector: { matchLabels: { soak: 'yes', fate } }, ...more });
  const mutating = [1, 2, 3, 4, 5].map((number) => webhook(`mutate/m${number}`));
  const validating = [1, 2].map((number) => webhook(`validate/v${number}`));
  return [
    {
      path: `/apis/${group}/mutatingwebhookconfigurations`,
      object: {
        apiVersion: group,
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'soak' },
        webhooks: [...mutating, bad('reset', { failurePolicy: 'Ignore' }), bad('hang', { timeoutSeconds: 1 })],
      },
    },
    {
      path: `/apis/${group}/validatingwebhookconfigurations`,
      object: {
        apiVersion: group,
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'soak' },
        webhooks: [...validating, bad('fail')],
      },
    },
  ];
}
