import type { ApiRequest } from '../../apiserver/request/api-request.ts';

/** The request target for logs and spans: the commands of an exec are often secrets, and stay out of them. */
export function shownTarget({ target, path }: Pick<ApiRequest, 'target' | 'path'>): string {
  const [before = '', ...query] = (target ?? path).split('?');
  if (query.length === 0) return before;
  return `${before}?${query.join('?').split('&').map(withoutCommand).join('&')}`;
}

function withoutCommand(pair: string): string {
  const [name] = new URLSearchParams(pair).keys();
  return name === 'command' ? 'command=‹masked›' : pair;
}
