/** Where objects of a resource have the spec of a pod: `spec.template.spec`. */
export const podSpecAt: Readonly<Record<string, string>> = {
  '/pods': 'spec',
  '/podtemplates': 'template.spec',
  'batch/cronjobs': 'spec.jobTemplate.spec.template.spec',
  ...Object.fromEntries(
    ['/replicationcontrollers', 'apps/daemonsets', 'apps/deployments', 'apps/replicasets', 'apps/statefulsets'].map(
      (resource) => [resource, 'spec.template.spec'],
    ),
  ),
  'batch/jobs': 'spec.template.spec',
};
