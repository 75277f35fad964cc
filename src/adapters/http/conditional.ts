import type { ApiRequest, ApiResponse } from '../../apiserver/request/api-request.ts';

type Document = Extract<ApiResponse, { type: 'document' }>;

/**
 * The document, or 304 for a client that has it already: by its ETag or, if it names none, by its Last-Modified.
 * Follows go src/net/http/fs.go checkPreconditions.
 */
export function unlessKnown({ headers }: ApiRequest, document: Document): Document {
  const { etag, 'last-modified': modified } = document.headers ?? {};
  const tags = headers['if-none-match'];
  const since = headers['if-modified-since'];
  const isKnown = tags === undefined ? isSince(modified, since) : namesTag(String(tags), etag);
  return isKnown ? { ...document, code: 304, body: '' } : document;
}

/** Weakly: `W/"a"` is `"a"`. */
const namesTag = (tags: string, etag: string | undefined): boolean =>
  etag !== undefined && tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

function isSince(modified: string | undefined, since: string | readonly string[] | undefined): boolean {
  if (modified === undefined || typeof since !== 'string') return false;
  return Date.parse(modified) <= Date.parse(since);
}
