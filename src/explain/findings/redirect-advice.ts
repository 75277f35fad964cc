import { asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { TracedWebhook } from '../trace/trace.ts';

type RedirectedCall = Pick<TracedWebhook, 'exchanges' | 'url' | 'failurePhase'> & { readonly clientConfig: JsonObject };

/** How far a call came whose review was posted to another URL, and whose failure has nothing to do with that. */
const answeredThere: ReadonlySet<string | undefined> = new Set(['verify', 'patch', 'timeout', 'canceled']);

/** What to do about the first redirect of a failed call; undefined when the redirect does not explain the failure. */
export function redirectAdvice({
  exchanges = [],
  url,
  failurePhase,
  clientConfig,
}: RedirectedCall): string | undefined {
  const from = exchanges.find(({ location }) => location !== undefined);
  if (from?.location === undefined || !URL.canParse(from.location, from.url)) return undefined;
  const isGet = from.code !== 307 && from.code !== 308;
  if (!isGet && answeredThere.has(failurePhase)) return undefined;
  const here = new URL(from.url);
  // A mapping may lead to a plain server, whatever the URL of the webhook says.
  const protocol = from === exchanges[0] && url?.startsWith('http:') ? 'http:' : here.protocol;
  const there = new URL(from.location, from.url);
  const followed = isGet ? 'kube-apiserver follows this redirect with a GET, without the review: ' : '';
  return followed + remedyFor(here, protocol, there, clientConfig);
}

function remedyFor(here: URL, protocol: string, there: URL, clientConfig: JsonObject): string {
  const { pathname } = here;
  if (pathname === there.pathname && protocol !== there.protocol) {
    return there.protocol === 'https:'
      ? 'the server redirects http to https: call its https port'
      : 'the server redirects https to http: let it answer over https itself';
  }
  if (here.host === there.host && pathname === there.pathname) return 'the server redirects to the same URL';
  if (here.host === there.host && withoutSlash(pathname) === withoutSlash(there.pathname)) {
    return `the server wants ${there.pathname}, and kube-apiserver calls ${pathname}, without a trailing slash whatever clientConfig says: let the webhook answer there`;
  }
  if (/log-?in|sign-?in|oauth|\bsso\b/i.test(there.host + there.pathname)) {
    return `something in front of the webhook (an ingress, a proxy) wants a login: let ${pathname} pass without one`;
  }
  const configured = asString(clientConfig['url']) === '' ? 'clientConfig.service' : 'clientConfig.url';
  return `let the webhook answer at ${pathname} itself, or put the address that it redirects to into ${configured}`;
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '');
