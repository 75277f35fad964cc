import { added, allowed, changed } from '../answer.js';

/** The proxy is the first container, so that the others start after it; a Pod requests it with an annotation. */
export default ({ request: { kind, object } }) => {
  if (kind.kind !== 'Pod' || object.metadata.annotations?.['linkerd.io/inject'] !== 'enabled') return allowed;
  return changed([
    ...added(object.spec, 'initContainers', { name: 'linkerd-init', image: 'proxy-init:2' }),
    ...added(object.spec, 'containers', { name: 'linkerd-proxy', image: 'proxy:2' }, 'first'),
  ]);
};
