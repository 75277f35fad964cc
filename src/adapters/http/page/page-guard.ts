import { createHash, timingSafeEqual } from 'node:crypto';

/** What the guard looks at. */
export interface PageVisit {
  readonly method: string;
  readonly url: URL;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly cookie: string | undefined;
}

export type Admission =
  | { readonly outcome: 'admitted'; /** The token came in the URL: keep it as a cookie. */ readonly setCookie: boolean }
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'foreign'; readonly what: string };

/**
 * Who may see the page: only a browser that named this machine's loopback address itself (no rebound name, no other
 * site's script) and has the token, from the printed URL or from the cookie that the first visit left.
 */
export function admitVisit(visit: PageVisit, port: number, token: string): Admission {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(visit.host ?? '')) return { outcome: 'foreign', what: `Host ${quoted(visit.host)}` };
  const mustNameOrigin = visit.method !== 'GET' && visit.method !== 'HEAD';
  if (mustNameOrigin || visit.origin !== undefined) {
    if (visit.origin !== `http://${visit.host}`) return { outcome: 'foreign', what: `Origin ${quoted(visit.origin)}` };
  }
  const given = visit.url.searchParams.get('token');
  if (given !== null && isSame(given, token)) return { outcome: 'admitted', setCookie: true };
  const kept = cookieIn(visit.cookie ?? '', cookieName(port));
  if (kept !== undefined && isSame(kept, token)) return { outcome: 'admitted', setCookie: false };
  return { outcome: 'unauthorized' };
}

/** Cookies do not tell ports apart: each server has a name of its own. */
const cookieName = (port: number): string => `kadmit-${port}`;

/** The Set-Cookie header of an admitted visit. */
export const tokenCookie = (port: number, token: string): string =>
  `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`;

function cookieIn(header: string, name: string): string | undefined {
  const pair = header
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Takes the same time wherever they differ, and whatever their lengths. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const quoted = (text: string | undefined): string =>
  text === undefined ? 'missing' : JSON.stringify(text.slice(0, 100));
