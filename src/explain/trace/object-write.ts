import type { RequestInfo } from '../../apiserver/request/request-info.ts';
import { resourceText } from './trace-summary.ts';

/** A summary, or the request of a trace with its resource as kubectl writes it. */
interface Requested {
  readonly verb: string;
  /** `deployments.apps/scale` */
  readonly resource: string;
}

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const connections: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Of these groups nothing is stored: SubjectAccessReview, TokenReview and the others. */
const virtualGroups: readonly string[] = ['authorization.k8s.io', 'authentication.k8s.io'];

/**
 * May `last` or `TYPE/NAME` mean this request? A write of an object or a connection to it; not a read that a converter was called for,
 * a virtual review, a token or the binding of a Pod.
 */
export function isWriteOrConnection({ verb, resource }: Requested): boolean {
  const [name = '', subresource = ''] = resource.split('/');
  const isVirtual = virtualGroups.includes(name.slice(name.indexOf('.') + 1)) || subresource === 'token';
  const isBinding = name === 'bindings' || subresource === 'binding';
  return (writes.has(verb) && !isVirtual && !isBinding) || connections.has(subresource);
}

/** The same of a request that was parsed. */
export const wasWriteOrConnection = (info: RequestInfo): boolean =>
  info.type === 'resource' && isWriteOrConnection({ verb: info.verb, resource: resourceText(info) });
