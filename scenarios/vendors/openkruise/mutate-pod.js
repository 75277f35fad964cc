import { added, allowed, changed } from '../answer.js';

/** A SidecarSet for Pods with app=web: its container comes first, and an annotation says which sets were injected. */
export default ({ request: { object } }) => {
  const { labels, annotations } = object.metadata;
  const done = 'kruise.io/sidecarset-injected-list';
  if (labels?.app !== 'web' || annotations?.[done] !== undefined) return allowed;
  return changed([
    ...added(object.spec, 'containers', { name: 'log-agent', image: 'log-agent:1' }, 'first'),
    annotations === undefined
      ? { op: 'add', path: '/metadata/annotations', value: { [done]: 'logs' } }
      : { op: 'add', path: '/metadata/annotations/kruise.io~1sidecarset-injected-list', value: 'logs' },
  ]);
};
