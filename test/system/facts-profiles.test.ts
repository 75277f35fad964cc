import { describeProfiles } from '../harness/profiles.ts';

describeProfiles(['p-webhook-kubeconfig', 'p-webhook-kubeconfig-path', 'p-webhook-kubeconfig-star']);
