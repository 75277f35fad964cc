import type { Agent, fetch } from 'undici';
import { errorText } from '../../../machinery/errors.ts';
import type { GoResult } from '../../../adapters/config/read-files.ts';

/** Sends requests to an issuer, trusting the given CAs, or those of the system. */
export interface IssuerClient {
  readonly get: (url: string, accessToken?: string) => Promise<GoResult<Fetched>>;
  readonly close: () => Promise<void>;
}

export interface Fetched {
  readonly text: string;
  /** Milliseconds that the response may be cached. */
  readonly maxAge: number;
}

const timeoutMs = 30_000;
const maxBytes = 1024 * 1024;

/** Follows apiserver plugin/pkg/authenticator/token/oidc/oidc.go. */
export function createIssuerClient(ca: string): IssuerClient {
  let opening: Promise<Opened> | undefined;
  return {
    get: async (url, accessToken = '') => {
      try {
        const headers = accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` };
        const { fetch, dispatcher } = await (opening ??= open(ca));
        const answer = await fetch(url, { dispatcher, headers, signal: AbortSignal.timeout(timeoutMs) });
        const text = await boundedText(answer.body);
        if (text === undefined) return { ok: false, error: `the answer of ${url} is longer than 1 MiB` };
        if (answer.status !== 200) return { ok: false, error: `${answer.status} ${answer.statusText}: ${text}` };
        const age = /max-age=(\d{1,9})/.exec(answer.headers.get('cache-control') ?? '')?.[1];
        return { ok: true, value: { text, maxAge: Number(age ?? 0) * 1000 } };
      } catch (error) {
        return { ok: false, error: `Get ${JSON.stringify(url)}: ${causeText(error)}` };
      }
    },
    close: async () => (await opening)?.dispatcher.destroy(),
  };
}

interface Opened {
  readonly fetch: typeof fetch;
  readonly dispatcher: Agent;
}

/** Loaded on demand: most servers have no issuer, and a start would take a sixth longer. */
async function open(ca: string): Promise<Opened> {
  const { Agent: Dispatcher, fetch } = await import('undici');
  return { fetch, dispatcher: new Dispatcher({ connect: ca === '' ? {} : { ca } }) };
}

/** undici has the reason in the cause. */
const causeText = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? errorText(error.cause) : errorText(error);

async function boundedText(body: AsyncIterable<Uint8Array> | null): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
