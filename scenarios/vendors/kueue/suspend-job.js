import { allowed, changed } from '../answer.js';

/** A Job with a queue waits until Kueue lets it begin. */
export default ({ request: { object } }) =>
  object.metadata.labels?.['kueue.x-k8s.io/queue-name'] && !object.spec.suspend
    ? changed([{ op: 'add', path: '/spec/suspend', value: true }])
    : allowed;
