import { added, allowed, changed } from '../answer.js';

/** An init container and a sidecar, and an annotation that says so: a Pod that has it is left alone. */
export default ({ request: { object } }) => {
  const { annotations } = object.metadata;
  if (annotations?.['sidecar.istio.io/status'] !== undefined) return allowed;
  return changed([
    ...added(object.spec, 'initContainers', { name: 'istio-init', image: 'proxyv2:1' }),
    ...added(object.spec, 'containers', { name: 'istio-proxy', image: 'proxyv2:1' }),
    annotations === undefined
      ? { op: 'add', path: '/metadata/annotations', value: { 'sidecar.istio.io/status': '{}' } }
      : { op: 'add', path: '/metadata/annotations/sidecar.istio.io~1status', value: '{}' },
  ]);
};
