import { allowed, changed } from '../answer.js';

/** A rule with an anchor for adding: `+(team): unknown`. */
export default ({ request: { object } }) => {
  const { labels } = object.metadata;
  if (labels?.team !== undefined) return allowed;
  return changed([
    labels === undefined
      ? { op: 'add', path: '/metadata/labels', value: { team: 'unknown' } }
      : { op: 'add', path: '/metadata/labels/team', value: 'unknown' },
  ]);
};
