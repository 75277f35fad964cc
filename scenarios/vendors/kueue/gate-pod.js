import { added, allowed, changed } from '../answer.js';

/** A Pod with a queue is gated, so that no scheduler takes it yet. */
export default ({ request: { object } }) =>
  object.metadata.labels?.['kueue.x-k8s.io/queue-name']
    ? changed(added(object.spec, 'schedulingGates', { name: 'kueue.x-k8s.io/admission' }))
    : allowed;
