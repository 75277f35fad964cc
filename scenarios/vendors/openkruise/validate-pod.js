import { allowed, refused } from '../answer.js';

/** A PodUnavailableBudget of none: Pods with app=web may neither be evicted nor deleted. */
export default ({ request: { operation, subResource, name, oldObject } }) => {
  if (operation === 'UPDATE') return allowed;
  const guarded = subResource === 'eviction' ? name.startsWith('web') : oldObject.metadata.labels?.app === 'web';
  return guarded ? refused('Pod cannot be deleted: unavailable Pods exceed the PodUnavailableBudget', 429) : allowed;
};
