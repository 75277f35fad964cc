import { describeProfiles } from '../harness/profiles.ts';

describeProfiles([
  'p-authz-abac',
  'p-imagepolicy',
  'p-imagepolicy-open',
  'p-nodes',
  'p-noprivileged',
  'p-webhook-kubeconfig',
  'p-webhook-kubeconfig-path',
  'p-webhook-kubeconfig-star',
]);
