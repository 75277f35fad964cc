import type { ObjectRef } from '../format.ts';

export type RefReading =
  | { readonly outcome: 'read'; readonly ref: ObjectRef }
  | { readonly outcome: 'wrong'; readonly problem: string };

/** `pod/web`, `deployments.apps/web/scale` or `service/web/proxy/index.html`; `namespace` is the one it is in. */
export function readRef(text: string, namespace: string): RefReading {
  const [resource = '', name = '', ...rest] = text.split('/');
  if (/\.ya?ml$|\.json$/.test(text) || resource === '' || name === '') {
    const problem = `${JSON.stringify(text)} is not RESOURCE/NAME, such as pod/web or deployment/web/scale`;
    return { outcome: 'wrong', problem };
  }
  return { outcome: 'read', ref: { resource, name, namespace, subresource: rest.join('/') } };
}
