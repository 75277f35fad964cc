import { allowed, refused } from '../answer.js';

/** The label that leaves a Namespace out may be set on those alone that a flag of Gatekeeper names. */
export default ({ request: { object } }) =>
  'admission.gatekeeper.sh/ignore' in (object.metadata.labels ?? {})
    ? refused('Only exempt namespace can have the admission.gatekeeper.sh/ignore label')
    : allowed;
