import { allowed, refused } from '../answer.js';

/** A Gateway without servers, with which istiod checks whether it is called at all. */
export default ({ request: { kind, object } }) =>
  kind.kind === 'Gateway' && !object.spec?.servers?.length
    ? refused('configuration is invalid: gateway must have at least one server', 400)
    : allowed;
