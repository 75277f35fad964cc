import { allowed, changed } from '../answer.js';

/** Gives the proxy, once it is there, the name of who may listen. */
export default ({ request: { object } }) => {
  const at = object.spec.containers.findIndex(({ name }) => name === 'linkerd-proxy');
  const variable = { name: 'LINKERD2_PROXY_TAP_SVC_NAME', value: 'tap.linkerd-viz.serviceaccount.identity' };
  const env = object.spec.containers[at]?.env;
  if (at < 0 || env?.some(({ name }) => name === variable.name)) return allowed;
  const path = `/spec/containers/${at}/env`;
  return changed([env ? { op: 'add', path: `${path}/-`, value: variable } : { op: 'add', path, value: [variable] }]);
};
