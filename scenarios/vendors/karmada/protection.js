import { allowed, refused } from '../answer.js';

/** On a DELETE there is the old object alone. */
export default ({ request: { oldObject } }) =>
  oldObject.metadata.labels['resourcetemplate.karmada.io/deletion-protected'] === 'Always'
    ? refused('This resource is protected, please make sure to remove the label: resourcetemplate.karmada.io/deletion-protected')
    : allowed;
