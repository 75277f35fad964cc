import type { RequestInfo } from '../../apiserver/request/request-info.ts';
import { resourceText } from './trace-summary.ts';

interface Requested {
  readonly verb: string;
  readonly resource: string;
}

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const connections: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Nothing is stored in these groups: SubjectAccessReview, TokenReview and others. */
const virtualGroups: readonly string[] = ['authorization.k8s.io', 'authentication.k8s.io'];

/**
 * Can `last` or `TYPE/NAME` select this request? Writes and connections, not virtual reviews, tokens or bindings of
 * Pods.
 */
export function isWriteOrConnection({ verb, resource }: Requested): boolean {
  const [name = '', subresource = ''] = resource.split('/');
  const isVirtual = virtualGroups.includes(name.slice(name.indexOf('.') + 1)) || subresource === 'token';
  const isBinding = name === 'bindings' || subresource === 'binding';
  return (writes.has(verb) && !isVirtual && !isBinding) || connections.has(subresource);
}

export const wasWriteOrConnection = (info: RequestInfo): boolean =>
  info.type === 'resource' && isWriteOrConnection({ verb: info.verb, resource: resourceText(info) });
