import { allowed, refused } from '../answer.js';

/** K8sRequiredLabels of the library, with a constraint that requires an owner on each Namespace and each Pod. */
export default ({ request: { kind, object } }) =>
  !['Namespace', 'Pod'].includes(kind.kind) || object?.metadata.labels?.owner
    ? allowed
    : refused('[all-must-have-owner] you must provide labels: {"owner"}');
