import { asString, type JsonObject } from '../../machinery/json/json.ts';
import type { TracedWebhook } from '../trace/trace.ts';

type RedirectedCall = Pick<TracedWebhook, 'exchanges' | 'url' | 'failurePhase'> & { readonly clientConfig: JsonObject };

/** Phases that a 307 or 308 redirect does not explain. */
const phasesAfterRedirect: ReadonlySet<string | undefined> = new Set(['verify', 'patch', 'timeout', 'canceled']);

/** The remedy for the first redirect; undefined when it does not explain the failure. */
export function redirectAdvice({
  exchanges = [],
  url,
  failurePhase,
  clientConfig,
}: RedirectedCall): string | undefined {
  const from = exchanges.find(({ location }) => location !== undefined);
  if (from?.location === undefined || !URL.canParse(from.location, from.url)) return undefined;
  const isGet = from.code !== 307 && from.code !== 308;
  if (!isGet && phasesAfterRedirect.has(failurePhase)) return undefined;
  const requested = new URL(from.url);
  // A mapped Service may speak plain HTTP, whatever the URL of the webhook is.
  const protocol = from === exchanges[0] && url?.startsWith('http:') ? 'http:' : requested.protocol;
  const target = new URL(from.location, from.url);
  const followed = isGet ? 'kube-apiserver follows this redirect with a GET, without the review: ' : '';
  return followed + redirectRemedy(requested, protocol, target, clientConfig);
}

function redirectRemedy(requested: URL, protocol: string, target: URL, clientConfig: JsonObject): string {
  const { pathname } = requested;
  if (pathname === target.pathname && protocol !== target.protocol) {
    return target.protocol === 'https:'
      ? 'the server redirects http to https: call its https port'
      : 'the server redirects https to http: respond over https';
  }
  if (requested.host === target.host && pathname === target.pathname)
    return 'the server redirects to the same URL: respond without a redirect';
  if (requested.host === target.host && withoutSlash(pathname) === withoutSlash(target.pathname)) {
    return `the server redirects to ${target.pathname}, but kube-apiserver removes trailing slashes: respond at ${pathname}`;
  }
  if (/log-?in|sign-?in|oauth|\bsso\b/i.test(target.host + target.pathname)) {
    return `an ingress or proxy in front of the webhook requires a login: allow ${pathname} without one`;
  }
  const configured = asString(clientConfig['url']) === '' ? 'clientConfig.service' : 'clientConfig.url';
  return `the webhook redirects: respond at ${pathname}, or put the target of the redirect into ${configured}`;
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '');
