import { allowed, changed } from '../answer.js';

/** One replica, and a Deployment. */
export default ({ request: { object } }) => {
  const missing = Object.entries({ mode: 'deployment', replicas: 1 }).filter(([field]) => object.spec[field] === undefined);
  return missing.length === 0 ? allowed : changed(missing.map(([field, value]) => ({ op: 'add', path: `/spec/${field}`, value })));
};
