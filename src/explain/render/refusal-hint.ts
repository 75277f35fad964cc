import { asString, valueAt } from '../../machinery/json/json.ts';
import { patchFault } from '../trace/applied-patch.ts';
import type { Trace } from '../trace/trace.ts';

/** What helps when the API server itself refused, and its message says too little; undefined when nothing is known. */
export function refusalHint(trace: Trace): string | undefined {
  for (const rule of rules) {
    const hint = rule(trace);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

const rules = [notAllowed, notServed, patchThatDoesNotFit, overtakenWrite, staleVersion, noContainers];

/** Before any stage: the request was not authorized. */
function notAllowed({ request: { user, namespace }, stages, response }: Trace): string | undefined {
  if (response.code !== 403 || stages.length > 0 || user === null) return undefined;
  const [where, binding] = namespace === '' ? ['', ''] : [` -n ${namespace}`, 'RoleBinding or '];
  return `kubectl auth can-i --list --as '${asString(user['username'])}'${where} shows what roles let this user do; a ${binding}ClusterRoleBinding gives more`;
}

function notServed({ request: { group, version, resource }, response: { code, status } }: Trace): string | undefined {
  if (code !== 404 || status !== null) return undefined;
  const where = group === '' ? version : `${group}/${version}`;
  return `${resource} is not served in ${where} here: kubectl api-resources lists what is; a custom resource needs its CustomResourceDefinition first`;
}

/** Upstream keeps to itself which operation it was (rule PATH-33). */
function patchThatDoesNotFit({ request, response, objectBefore }: Trace): string | undefined {
  const { contentType, body } = request;
  if (response.code !== 422 || contentType !== 'application/json-patch+json' || !objectBefore || !body)
    return undefined;
  const fault = patchFault(objectBefore, body);
  return fault === undefined ? undefined : `the patch does not fit what is stored: ${fault}`;
}

/** What the message cannot say: the object was there, or was not, when the webhooks were called. */
function overtakenWrite({ request, response: { code, status }, overtaken }: Trace): string | undefined {
  const what = request.name === '' ? request.resource : `${request.resource} ${request.name}`;
  if (code === 404 && overtaken === 'deleted') {
    return `${what} existed when the webhooks were called and was deleted before they had answered: another client or one of the webhooks deleted it`;
  }
  if (code === 409 && overtaken === 'created' && status?.['reason'] === 'AlreadyExists') {
    return `${what} did not exist when the webhooks were called and was created before they had answered: another client or one of the webhooks created it`;
  }
  if (code === 409 && overtaken === 'updated' && status?.['reason'] === 'Conflict') {
    return `${what} was changed while the webhooks were called, by another client or by one of the webhooks: read it again, change that, and write it`;
  }
  return undefined;
}

function staleVersion({ request: { body, verb }, response: { code }, objectBefore }: Trace): string | undefined {
  if (code !== 409 || verb !== 'update') return undefined;
  const sent = asString(valueAt(body, 'metadata', 'resourceVersion'));
  const stored = asString(valueAt(objectBefore, 'metadata', 'resourceVersion'));
  if (sent === '' || stored === '' || sent === stored) return undefined;
  return `what was sent was read at resourceVersion ${sent}, and by now ${stored} is stored: read it anew, change that, and write it`;
}

function noContainers({ request: { resource, subresource }, response: { code } }: Trace): string | undefined {
  const isStream = ['exec', 'attach', 'portforward', 'proxy'].includes(subresource) && resource === 'pods';
  if (!isStream || (code !== 400 && code !== 501)) return undefined;
  return 'kadmit runs no containers: whether it may be done is all that it decides';
}
