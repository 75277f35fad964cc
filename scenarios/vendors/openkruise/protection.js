import { allowed, refused } from '../answer.js';

/** `Always` keeps an object, whatever it holds. */
export default ({ request: { oldObject } }) =>
  oldObject.metadata.labels['policy.kruise.io/delete-protection'] === 'Always'
    ? refused('forbidden by ResourcesProtectionDeletion for policy.kruise.io/delete-protection=Always')
    : allowed;
