import type { IncomingMessage, ServerResponse } from 'node:http';

export interface PageAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly body: string;
  /** The file name of a download. */
  readonly saveAs?: string;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** No caching, framing, sniffing or cross-site reading. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export const html = (body: string): PageAnswer => ({ code: 200, contentType: 'text/html; charset=utf-8', body });

export const json = (body: string, code = 200): PageAnswer => ({ code, contentType: 'application/json', body });

/** One line of text. */
export const refusal = (code: number, text: string): PageAnswer => ({
  code,
  contentType: 'text/plain; charset=utf-8',
  body: `${text}\n`,
});

export function send(
  response: ServerResponse,
  { code, contentType, body, saveAs }: PageAnswer,
  setCookie?: string,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(code, {
    ...safeHeaders,
    'content-type': contentType,
    'content-length': bytes.length,
    ...(saveAs === undefined ? {} : { 'content-disposition': `attachment; filename="${saveAs}"` }),
    ...(setCookie === undefined ? {} : { 'set-cookie': setCookie }),
  });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** undefined when the body exceeds `max` bytes. */
export async function readBody(request: IncomingMessage, max: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > max) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
