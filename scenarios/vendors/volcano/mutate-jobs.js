import { allowed, changed } from '../answer.js';

/** A job goes to the queue `default` and is scheduled by Volcano, unless it says otherwise; all of its Pods start together. */
export default ({ request: { object } }) => {
  const defaults = {
    queue: 'default',
    schedulerName: 'volcano',
    minAvailable: object.spec.tasks.reduce((sum, { replicas }) => sum + replicas, 0),
  };
  const missing = Object.entries(defaults).filter(([field]) => object.spec[field] === undefined);
  return missing.length === 0 ? allowed : changed(missing.map(([field, value]) => ({ op: 'add', path: `/spec/${field}`, value })));
};
