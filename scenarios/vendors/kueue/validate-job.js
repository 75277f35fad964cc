import { allowed, refused } from '../answer.js';

const queueOf = ({ metadata }) => metadata.labels?.['kueue.x-k8s.io/queue-name'] ?? '';

/** A Job that runs stays in its queue. */
export default ({ request: { object, oldObject, operation } }) =>
  operation === 'UPDATE' && !object.spec.suspend && queueOf(object) !== queueOf(oldObject)
    ? refused(`metadata.labels[kueue.x-k8s.io/queue-name]: Invalid value: "${queueOf(object)}": field is immutable`, 422)
    : allowed;
