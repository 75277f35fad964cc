import { allowed, refused } from '../answer.js';

/** As many Pods as must start together have to be there; afterwards little may change. */
export default ({ request: { object } }) => {
  const { minAvailable, tasks } = object.spec;
  return minAvailable > tasks.reduce((sum, { replicas }) => sum + replicas, 0)
    ? refused("job 'minAvailable' should not be greater than total replicas in tasks;", 422)
    : allowed;
};
