import { allowed, refused } from '../answer.js';

/** The queue `default` stays. */
export default ({ request: { operation, name } }) =>
  operation === 'DELETE' && name === 'default' ? refused('`default` queue can not be deleted', 422) : allowed;
