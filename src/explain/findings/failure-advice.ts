import type { FailureCause } from '../../apiserver/admission/webhooks/call.ts';
import { asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { timeoutSecondsOf } from '../../machinery/meta/webhook-fields.ts';
import { encodedTwice } from '../trace/conversions.ts';
import { durationText } from '../trace/sentences.ts';
import type { FailurePhase, TracedWebhook } from '../trace/trace.ts';
import { redirectAdvice } from './redirect-advice.ts';

/** Traces of earlier versions have no failureDetail. */
export const failureText = ({ error = '', failureDetail = error }: TracedWebhook): string => failureDetail;

/** Follows `failed`. */
export const phaseSentence = (phase: FailurePhase): string => phases[phase];

const phases: Readonly<Record<FailurePhase, string>> = {
  client: 'before connecting',
  resolve: 'while resolving the host',
  connect: 'while connecting',
  tls: 'in the TLS handshake',
  headers: 'while waiting for the response',
  body: 'while reading the response',
  timeout: 'with a timeout',
  canceled: 'because the client disconnected',
  decode: 'because the response is not an AdmissionReview',
  verify: 'because the response is an invalid AdmissionReview',
  patch: 'because its patch is invalid',
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
    (call.failureCause && adviseCause(call.failureCause, call)) ??
    advisePhase(call);
  return [...certificateLines(call), ...(advice === undefined ? [] : [advice])];
}

type Adviser = string | ((call: FailedCall) => string | undefined);

function advisePhase(call: FailedCall): string | undefined {
  const adviser = call.failurePhase && phaseAdvice[call.failurePhase];
  return typeof adviser === 'function' ? adviser(call) : adviser;
}

const phaseAdvice: Readonly<Record<FailurePhase, Adviser | undefined>> = {
  client: clientAdvice,
  resolve: undefined,
  connect: 'the connection failed: check that the webhook is running',
  tls: undefined,
  headers: (call) => `the webhook closed the connection without a response: check its log${nullOnDelete(call)}`,
  body: 'the webhook closed the connection in the middle of its response: check its log',
  timeout: timeoutAdvice,
  canceled:
    'the client disconnected before the response: set a longer --request-timeout for kubectl, or make the webhook faster',
  decode: (call) => `the response must be an AdmissionReview as JSON with status 200${quoteAnswer(call)}`,
  verify: undefined,
  patch: undefined,
  'dry-run': ({ definition }) =>
    `its sideEffects are ${asString(definition?.['sideEffects']) || 'not set'}, so kube-apiserver refuses dry runs: set None or NoneOnDryRun if it has no side effects`,
};

function adviseCause(cause: FailureCause, call: FailedCall): string | undefined {
  if ('address' in cause) return adviseConnection(cause, call);
  if (cause.because === 'http-status') return adviseStatus(cause.code, call) + quoteAnswer(call);
  const adviser = causeAdvice[cause.because];
  return typeof adviser === 'function' ? adviser(call) : adviser;
}

type NoConnection = Extract<FailureCause, { readonly address: string }>;

function adviseConnection({ because, address }: NoConnection, call: FailedCall): string {
  switch (because) {
    case 'connection-refused':
      return `nothing listens at ${address}: start the webhook, or ${suggestCorrection(call)}`;
    case 'unreachable':
      return `${address} is unreachable: ${suggestCorrection(call)}`;
    case 'not-opened':
      return `the connection to ${address} failed: check that the webhook is running`;
  }
}

/** Webhooks often crash at their first DELETE. */
const nullOnDelete = ({ review }: FailedCall): string =>
  asObject(review?.['request'])['operation'] === 'DELETE' ? ' (on DELETE object is null, oldObject has it)' : '';

function adviseStatus(code: number, call: FailedCall): string {
  const { url, definition } = call;
  if (code !== 404) {
    const known = code >= 500 ? nullOnDelete(call) : '';
    return `the webhook responded with HTTP status ${code}: check its log${known}`;
  }
  const [, called = ''] = /^\w+:\/\/[^/]*(\/[^?]*)/.exec(url ?? '') ?? [];
  const written = asString(asObject(asObject(definition?.['clientConfig'])['service'])['path']);
  return called === '' || called === written || (called === '/' && written === '')
    ? 'the webhook does not serve this path: correct the path in clientConfig'
    : `the webhook does not serve ${called}, which is the URL of the mapped Service followed by the path of clientConfig, ${written || '/'}: correct one of them`;
}

type PlainCause = Exclude<FailureCause, NoConnection | { readonly code: number }>['because'];

const causeAdvice: Readonly<Record<PlainCause, Adviser | undefined>> = {
  'service-missing': (call) =>
    `the Service does not exist: create it with its endpoints, or map it: ${mapCommand(call, 'URL')}`,
  'service-port-missing': 'the Service does not have the port of clientConfig.service.port: correct one of them',
  'service-unroutable': (call) => `the Service has no ClusterIP: set one, or map it: ${mapCommand(call, 'URL')}`,
  'no-endpoints': (call) =>
    `the Service has no ready endpoints, and kadmit has no cluster network: add endpoints, or map it: ${mapCommand(call, 'https://127.0.0.1:PORT')}`,
  'host-unknown': 'the host of clientConfig.url has no address: correct it, or use an address',
  proxy: 'the proxy is unreachable: correct HTTPS_PROXY, or add the host to NO_PROXY',
  'not-yet-valid': 'the certificate is not valid yet: compare the clocks',
  expired: 'the certificate has expired: issue a new one and reload the webhook',
  'common-name-only': ({ certificate }) =>
    `the certificate names ${certificate?.serverName ?? 'the server'} only as its Common Name: issue one with subjectAltName`,
  'name-mismatch': ({ certificate }) =>
    `the certificate is not valid for ${certificate?.serverName ?? 'the server'}: issue one with that subjectAltName`,
  'key-usage': 'the certificate is not for servers: issue one with extended key usage serverAuth',
  'not-an-authority': 'the issuer of the certificate is not a CA: issue both again, the issuer with CA:TRUE',
  'unknown-authority': unknownAuthorityAdvice,
  'plain-http': (call) => {
    const plain = serviceName(call) === '' ? '' : `, or map it: ${mapCommand(call, 'http://…')}`;
    return `the webhook serves plain HTTP: serve TLS${plain}`;
  },
  'old-protocol': 'the webhook supports only TLS 1.0 or 1.1: enable TLS 1.2 or later',
  'client-certificate-wanted': 'the webhook requires a client certificate, and kadmit sends none: make it optional',
  'handshake-ended': 'the webhook ended or ignored the TLS handshake: check that this port serves TLS',
  'late-connection': (call) =>
    `the connection timed out: check for dropped packets (NetworkPolicy, firewall, missing node); ${timeoutAdvice(call)}`,
  'late-handshake': (call) =>
    `the TLS handshake timed out: check that the port serves TLS and that the webhook has CPU; ${timeoutAdvice(call)}`,
  'no-http': 'the port does not serve HTTP: check the port',
  redirects: 'the webhook redirects too often: respond at the path of clientConfig',
  'uid-mismatch': ({ review }) =>
    `response.uid differs from request.uid: send ${asString(asObject(review?.['request'])['uid'])}`,
  'response-absent':
    'the AdmissionReview has no response: send {"apiVersion": …, "kind": "AdmissionReview", "response": {"uid": …, "allowed": true}}',
  'not-a-review':
    'the response is no AdmissionReview: send the apiVersion and kind of the review, response.uid and response.allowed',
  'patch-type': 'response.patch and patchType JSONPatch require each other: send both, or none',
  'patch-unasked': 'only a mutating webhook may patch: register it as one, or remove patch and patchType',
  'patch-not-base64':
    "response.patch must be the base64 of the JSON patch (Buffer.from(JSON.stringify(ops)).toString('base64'))",
  'patch-undecodable': 'response.patch must be a JSON Patch (a list of operations) in base64',
  'operation-failed':
    'an operation has a path that does not exist: add the parent first ("/metadata/annotations" before a key in it), escape / as ~1',
  'test-failed': 'a test operation of the patch failed: build the patch from request.object of the same review',
  'result-undecodable': 'the patched object cannot be decoded: compare it with the schema',
};

/** A webhook on this machine is mapped by its Service. */
function unknownAuthorityAdvice(call: FailedCall): string {
  const { caBundle, service } = clientConfigOf(call);
  const local = service === undefined ? '' : '; for a local webhook kadmit dev sets it';
  if (caBundle !== undefined)
    return `the caBundle does not contain the issuing CA: replace it by the base64 PEM of that CA${local}`;
  const trusting = service === undefined ? '' : ', and kadmit serve --inject-ca trusts a mapped webhook without one';
  return `clientConfig has no caBundle, so only the CAs of this machine are trusted: set it to the base64 PEM of the issuing CA${local}${trusting}`;
}

const clientConfigOf = ({ definition }: FailedCall): JsonObject => asObject(definition?.['clientConfig']);

/** `NAMESPACE/NAME`; empty for a webhook with a url. */
function serviceName(call: FailedCall): string {
  const { namespace, name } = asObject(clientConfigOf(call)['service']);
  return name === undefined ? '' : `${asString(namespace)}/${asString(name)}`;
}

function suggestCorrection(call: FailedCall): string {
  if (serviceName(call) !== '') return `correct its address: ${mapCommand(call, 'URL')}`;
  const [written, called] = [urlOrigin(asString(clientConfigOf(call)['url'])), urlOrigin(call.url ?? '')];
  return called === '' || called === written
    ? 'correct clientConfig.url'
    : `correct where ${written} is mapped: kadmit map ${written}=URL (in a scenario, to: URL)`;
}

/** '' without a URL. */
const urlOrigin = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

const mapCommand = (call: FailedCall, url: string): string =>
  `kadmit map ${serviceName(call)}=${url} (in a scenario, to: ${url})`;

function clientAdvice(call: FailedCall): string {
  if (asString(clientConfigOf(call)['caBundle']).includes(encodedTwice)) {
    return 'the caBundle is base64 of base64: encode the PEM once (a Secret has it in base64 already)';
  }
  return 'clientConfig is invalid: set a url or a service, and a caBundle of PEM certificates in base64';
}

const quoteAnswer = ({ answer }: FailedCall): string =>
  typeof answer === 'string' && answer !== '' ? `; the response was ${JSON.stringify(answer.slice(0, 80))}` : '';

function certificateLines({ certificate }: FailedCall): readonly string[] {
  if (certificate === undefined) return [];
  const { subject, issuer, names, notBefore, notAfter } = certificate;
  const whose = subject === '' ? 'without a subject' : subject;
  const by = issuer === subject ? 'signed by itself' : `issued by ${issuer}`;
  const forNames = names.length === 0 ? 'for no names' : `for ${names.join(', ')}`;
  return [`the certificate: ${whose}, ${forNames}, valid ${formatTime(notBefore)} to ${formatTime(notAfter)}, ${by}`];
}

/** Its own timeout, or the rest of the request's deadline (rules FAIL-40 to FAIL-43). */
function timeoutAdvice({ timeoutMilliseconds, definition }: FailedCall): string {
  const ownMilliseconds = timeoutSecondsOf(definition ?? {}) * 1000;
  if (timeoutMilliseconds === undefined || timeoutMilliseconds >= ownMilliseconds - 1) {
    return `the call exceeded its timeoutSeconds, ${ownMilliseconds / 1000}: make the webhook faster, or increase it (maximum 30)`;
  }
  return `the call had only ${durationText(timeoutMilliseconds)} of its ${ownMilliseconds / 1000} s, since the webhooks of a request share 34 s or the client's timeout: reduce the timeoutSeconds of earlier webhooks`;
}
