import type { FailureCause } from '../../apiserver/admission/webhooks/failure-cause.ts';
import { asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { timeoutSecondsOf } from '../../machinery/meta/webhook-fields.ts';
import { encodedTwice } from '../trace/conversions.ts';
import { durationText } from '../trace/sentences.ts';
import type { FailurePhase, TracedWebhook } from '../trace/trace.ts';

/** Traces of earlier versions have no failureDetail. */
export const failureText = ({ error = '', failureDetail = error }: TracedWebhook): string => failureDetail;

/** Follows `failed`. */
export const phaseSentence = (phase: FailurePhase): string => phases[phase];

const phases: Readonly<Record<FailurePhase, string>> = {
  client: 'before any connection was made',
  resolve: 'while looking up the address',
  connect: 'while connecting',
  tls: 'in the TLS handshake',
  headers: 'while waiting for the answer',
  body: 'while reading the answer',
  timeout: 'by running out of time',
  canceled: 'because the client went away',
  decode: 'because the answer is no AdmissionReview',
  verify: 'because the answer breaks the rules of AdmissionReview',
  patch: 'because its patch cannot be used',
  'dry-run': 'because it does not support dry run',
};

/** The remedies for a failed call, one sentence each, after a line about the certificate. */
export const adviceFor = (webhook: TracedWebhook): readonly string[] =>
  webhook.outcome === 'failed-open' || webhook.outcome === 'failed-closed' ? adviceForCall(webhook) : [];

/** A failed call of an admission webhook or of a converter. */
type FailedCall = Pick<
  TracedWebhook,
  | 'definition'
  | 'failurePhase'
  | 'failureCause'
  | 'certificate'
  | 'review'
  | 'answer'
  | 'timeoutMilliseconds'
  | 'url'
  | 'exchanges'
>;

/** The remedies for a call that failed. */
export function adviceForCall(call: FailedCall): readonly string[] {
  const advice =
    redirectAdvice({ ...call, clientConfig: clientConfigOf(call) }) ??
    (call.failureCause && adviceOnCause(call.failureCause, call)) ??
    adviceOnPhase(call);
  return [...certificateLines(call), ...(advice === undefined ? [] : [advice])];
}

type Adviser = string | ((call: FailedCall) => string | undefined);

function adviceOnPhase(call: FailedCall): string | undefined {
  const adviser = call.failurePhase && onPhase[call.failurePhase];
  return typeof adviser === 'function' ? adviser(call) : adviser;
}

const onPhase: Readonly<Record<FailurePhase, Adviser | undefined>> = {
  client: clientAdvice,
  resolve: undefined,
  connect: 'the connection could not be opened: is the webhook running?',
  tls: undefined,
  headers: (call) => `the webhook ended the connection without an answer: look into its log${nullOnDelete(call)}`,
  body: 'the webhook ended the connection in the middle of its answer: look into its log',
  timeout: timeoutAdvice,
  canceled:
    'the client did not wait for the answer: give kubectl a longer --request-timeout, or make the webhook quicker',
  decode: (call) => `the body must be an AdmissionReview as JSON with code 200${shownAnswer(call)}`,
  verify: undefined,
  patch: undefined,
  'dry-run': ({ definition }) =>
    `its sideEffects are ${asString(definition?.['sideEffects']) || 'not set'}: kube-apiserver refuses a dry run then; set None or NoneOnDryRun if that is true of it`,
};

function adviceOnCause(cause: FailureCause, call: FailedCall): string | undefined {
  if ('address' in cause) return adviceOnConnection(cause, call);
  if (cause.because === 'http-status') return adviceOnStatus(cause.code, call) + shownAnswer(call);
  const adviser = onCause[cause.because];
  return typeof adviser === 'function' ? adviser(call) : adviser;
}

type NoConnection = Extract<FailureCause, { readonly address: string }>;

function adviceOnConnection({ because, address }: NoConnection, call: FailedCall): string {
  switch (because) {
    case 'connection-refused':
      return `nothing listens at ${address}: start the webhook, or ${correction(call)}`;
    case 'unreachable':
      return `${address} cannot be reached from here: ${correction(call)}`;
    case 'not-opened':
      return `the connection to ${address} could not be opened: is the webhook running?`;
  }
}

/** Webhooks often crash at their first DELETE. */
const nullOnDelete = ({ review }: FailedCall): string =>
  asObject(review?.['request'])['operation'] === 'DELETE' ? ' (on DELETE object is null, oldObject has it)' : '';

function adviceOnStatus(code: number, call: FailedCall): string {
  const { url, definition } = call;
  if (code !== 404) {
    const known = code >= 500 ? nullOnDelete(call) : '';
    return `the webhook answered with the HTTP code ${code}: look into its log${known}`;
  }
  const [, asked = ''] = /^\w+:\/\/[^/]*(\/[^?]*)/.exec(url ?? '') ?? [];
  const written = asString(asObject(asObject(definition?.['clientConfig'])['service'])['path']);
  return asked === '' || asked === written || (asked === '/' && written === '')
    ? 'the webhook knows no such path: correct the path in clientConfig'
    : `the webhook knows no path ${asked}: the path of clientConfig, ${written || '/'}, is put behind that of the URL that its Service is mapped to; correct one of them`;
}

type PlainCause = Exclude<FailureCause, NoConnection | { readonly code: number }>['because'];

const onCause: Readonly<Record<PlainCause, Adviser | undefined>> = {
  'service-missing': (call) =>
    `there is no such Service here: create it with its endpoints, or say where the webhook listens: kadmit map ${serviceOf(call)}=URL`,
  'service-port-missing': 'clientConfig.service.port must be one of the ports of the Service',
  'service-unroutable': (call) =>
    `give the Service a ClusterIP, or say where the webhook listens: kadmit map ${serviceOf(call)}=URL`,
  'no-endpoints': (call) =>
    `kadmit has no cluster network: give the Service ready endpoints, or map it: kadmit map ${serviceOf(call)}=https://127.0.0.1:PORT`,
  'host-unknown': 'the host in clientConfig.url has no address here: correct it, or use an address',
  proxy: 'the proxy could not be reached: correct HTTPS_PROXY, or put the host into NO_PROXY',
  'not-yet-valid': 'it is not valid yet: compare the clocks',
  expired: 'it has expired: issue a new one and let the webhook load it',
  'common-name-only': ({ certificate }) =>
    `it names ${certificate?.serverName ?? 'the server'} only as its Common Name: issue one with subjectAltName`,
  'name-mismatch': ({ certificate }) =>
    `kube-apiserver asks for ${certificate?.serverName ?? 'another name'}: issue the certificate with that as a subjectAltName`,
  'key-usage': 'it is not for servers: issue it with extended key usage serverAuth',
  'not-an-authority': 'the certificate that issued it may not sign others: issue both anew, the first with CA:TRUE',
  'unknown-authority': (call) =>
    clientConfigOf(call)['caBundle'] === undefined
      ? 'clientConfig has no caBundle, so only the CAs of this machine count: put the PEM of the CA that issued it there, in base64'
      : 'the caBundle does not hold the CA that issued it: was the CA replaced, or the caBundle written for another one?',
  'plain-http': (call) => {
    const service = serviceOf(call);
    const plain = service === '' ? '' : `, or map it as it is: kadmit map ${service}=http://…`;
    return `the webhook speaks plain HTTP there: serve TLS${plain}`;
  },
  'old-protocol': 'the webhook speaks only TLS 1.0 or 1.1; the least is 1.2',
  'client-certificate-wanted': 'the webhook wants a client certificate that it knows; kadmit sends none',
  'handshake-ended': 'the webhook ended or ignored the handshake: does it speak TLS at that port?',
  'late-connection': (call) =>
    `no connection came about: does something on the way drop packets (a NetworkPolicy, a firewall, a node that is gone)? ${timeoutAdvice(call)}`,
  'late-handshake': (call) =>
    `the connection was there, and the TLS handshake did not end: is it a TLS server, and has it a processor? ${timeoutAdvice(call)}`,
  'no-http': 'what listens there speaks no HTTP: is it the right port?',
  redirects: 'the webhook redirects: kube-apiserver follows, but not for ever; answer at the path of clientConfig',
  'uid-mismatch': ({ review }) =>
    `the answer must repeat request.uid, ${asString(asObject(review?.['request'])['uid'])}`,
  'response-absent':
    'the answer needs a response: {"apiVersion": …, "kind": "AdmissionReview", "response": {"uid": …, "allowed": true}}',
  'not-a-review': 'the answer needs the apiVersion and kind of the review, and response.uid, response.allowed',
  'patch-type': 'a response.patch needs patchType JSONPatch, and the other way round',
  'patch-unasked': 'only a mutating webhook may patch: register it as one, or leave patch and patchType out',
  'patch-not-base64':
    "response.patch must be the base64 of the JSON patch (Buffer.from(JSON.stringify(ops)).toString('base64'))",
  'patch-undecodable': 'response.patch must be a JSON Patch (a list of operations) in base64',
  'operation-failed':
    'an operation names a path that is not there: add the parent first ("/metadata/annotations" before a key in it), escape / as ~1',
  'test-failed': 'the patch has a test that does not hold for the object as it came: was it made for an older one?',
  'result-undecodable': 'the object after the patch is not one that the API can read: compare it with the schema',
};

const clientConfigOf = ({ definition }: FailedCall): JsonObject => asObject(definition?.['clientConfig']);

/** `NAMESPACE/NAME`; empty for a webhook with a url. */
function serviceOf(call: FailedCall): string {
  const { namespace, name } = asObject(clientConfigOf(call)['service']);
  return name === undefined ? '' : `${asString(namespace)}/${asString(name)}`;
}

function correction(call: FailedCall): string {
  const service = serviceOf(call);
  return service === '' ? 'correct clientConfig.url' : `correct it: kadmit map ${service}=URL`;
}

function clientAdvice(call: FailedCall): string {
  if (asString(clientConfigOf(call)['caBundle']).includes(encodedTwice)) {
    return 'the caBundle is base64 of base64: write the base64 of the PEM itself, once (in a Secret it is in base64 already)';
  }
  return 'clientConfig itself cannot be used: it needs a url or a service, and a caBundle of PEM certificates in base64';
}

const shownAnswer = ({ answer }: FailedCall): string =>
  typeof answer === 'string' && answer !== '' ? `; it answered ${JSON.stringify(answer.slice(0, 80))}` : '';

const rfc3339 = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

function certificateLines({ certificate }: FailedCall): readonly string[] {
  if (certificate === undefined) return [];
  const { subject, issuer, names, notBefore, notAfter } = certificate;
  const whose = subject === '' ? 'without a subject' : subject;
  const by = issuer === subject ? 'signed by itself' : `issued by ${issuer}`;
  const forNames = names.length === 0 ? 'for no names' : `for ${names.join(', ')}`;
  return [`the certificate: ${whose}, ${forNames}, valid ${rfc3339(notBefore)} to ${rfc3339(notAfter)}, ${by}`];
}

/** Its own timeout, or the rest of the request's deadline (rules FAIL-40 to FAIL-43). */
function timeoutAdvice({ timeoutMilliseconds, definition }: FailedCall): string {
  const ownMilliseconds = timeoutSecondsOf(definition ?? {}) * 1000;
  if (timeoutMilliseconds === undefined || timeoutMilliseconds >= ownMilliseconds - 1) {
    return `it took longer than its timeoutSeconds, ${ownMilliseconds / 1000}: make it quicker, or give it more (30 is the most)`;
  }
  return `only ${durationText(timeoutMilliseconds)} were left for it of the time that the webhooks of a request share (34 s, or the client's timeout), less than its own ${ownMilliseconds / 1000} s`;
}

type RedirectedCall = Pick<TracedWebhook, 'exchanges' | 'url' | 'failurePhase'> & { readonly clientConfig: JsonObject };

/** Phases that a 307 or 308 redirect does not explain. */
const answeredThere: ReadonlySet<string | undefined> = new Set(['verify', 'patch', 'timeout', 'canceled']);

/** The remedy for the first redirect; undefined when it does not explain the failure. */
function redirectAdvice({ exchanges = [], url, failurePhase, clientConfig }: RedirectedCall): string | undefined {
  const from = exchanges.find(({ location }) => location !== undefined);
  if (from?.location === undefined || !URL.canParse(from.location, from.url)) return undefined;
  const isGet = from.code !== 307 && from.code !== 308;
  if (!isGet && answeredThere.has(failurePhase)) return undefined;
  const here = new URL(from.url);
  // A mapped Service may speak plain HTTP, whatever the URL of the webhook is.
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
