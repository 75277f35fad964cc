import { asObject, asString } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { encodedTwice } from '../trace/bundle-summary.ts';
import { durationText } from '../trace/sentences.ts';
import type { FailurePhase, TracedWebhook } from '../trace/trace.ts';

/** The error of a failed call, without the words that kube-apiserver puts before it: whoever reads them knows them. */
export const failureText = ({ error = '', name }: Pick<TracedWebhook, 'error' | 'name'>): string =>
  error
    .replace(`failed calling webhook "${name}": `, '')
    .replace(/^failed to call webhook: /, '')
    .replace(/^Post "[^"]*": /, '');

/** How far a failed call came, as what follows `failed`. */
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

/** What to look at or do about a failed call, a sentence each; what the certificate says comes first. */
export const adviceFor = (webhook: TracedWebhook): readonly string[] =>
  webhook.outcome === 'failed-open' || webhook.outcome === 'failed-closed' ? adviceForCall(webhook) : [];

/** What is known of a call that failed, whoever made it: admission, or who wanted an object converted. */
type FailedCall = Pick<
  TracedWebhook,
  'definition' | 'failurePhase' | 'error' | 'certificate' | 'review' | 'answer' | 'patch' | 'timeoutMilliseconds'
>;

/** The same for a call that is known to have failed. */
export function adviceForCall(call: FailedCall): readonly string[] {
  const { failurePhase, error = '' } = call;
  const advice = failurePhase && advisers[failurePhase](call, error);
  return typeof advice === 'string' ? [advice] : (advice ?? []);
}

type Adviser = (webhook: FailedCall, error: string) => string | readonly string[] | undefined;

const advisers: Readonly<Record<FailurePhase, Adviser>> = {
  client: clientAdvice,
  resolve: resolveAdvice,
  connect: connectAdvice,
  tls: tlsAdvice,
  headers: answerAdvice,
  body: () => 'the webhook ended the connection in the middle of its answer: look into its log',
  timeout: timeoutAdvice,
  canceled: () =>
    'the client did not wait for the answer: give kubectl a longer --request-timeout, or make the webhook quicker',
  decode: decodeAdvice,
  verify: verifyAdvice,
  patch: patchAdvice,
  'dry-run': ({ definition }) =>
    `its sideEffects are ${asString(definition?.['sideEffects']) || 'not set'}: kube-apiserver refuses a dry run then; set None or NoneOnDryRun if that is true of it`,
};

const clientConfigOf = ({ definition }: FailedCall): JsonObject => asObject(definition?.['clientConfig']);

/** `NAMESPACE/NAME`, or empty for a webhook with a url. */
function serviceOf(webhook: FailedCall): string {
  const { namespace, name } = asObject(clientConfigOf(webhook)['service']);
  return name === undefined ? '' : `${asString(namespace)}/${asString(name)}`;
}

function clientAdvice(webhook: FailedCall): string {
  if (asString(clientConfigOf(webhook)['caBundle']).includes(encodedTwice)) {
    return 'the caBundle is base64 of base64: write the base64 of the PEM itself, once (in a Secret it is in base64 already)';
  }
  return 'clientConfig itself cannot be used: it needs a url or a service, and a caBundle of PEM certificates in base64';
}

function resolveAdvice(webhook: FailedCall, error: string): string | undefined {
  const service = serviceOf(webhook);
  if (service === '') return 'the host in clientConfig.url has no address here: correct it, or use an address';
  if (error.includes('--map')) return undefined;
  if (error.includes('no service port')) return 'clientConfig.service.port must be one of the ports of the Service';
  return `there is no such Service here: create it with its endpoints, or say where the webhook listens: kadmit map ${service}=URL`;
}

function connectAdvice(webhook: FailedCall, error: string): string {
  if (error.includes('proxyconnect'))
    return 'the proxy could not be reached: correct HTTPS_PROXY, or put the host into NO_PROXY';
  const address = /dial tcp ([^ ]+?):? /.exec(`${error} `)?.[1]?.replace(/:$/, '') ?? '';
  const where = address === '' ? 'its address' : address;
  const service = serviceOf(webhook);
  const correct = service === '' ? 'correct clientConfig.url' : `correct it: kadmit map ${service}=URL`;
  if (error.includes('refused')) return `nothing listens at ${where}: start the webhook, or ${correct}`;
  if (/timeout|timed out|no route|unreachable/.test(error)) return `${where} cannot be reached from here: ${correct}`;
  return `the connection to ${where} could not be opened: is the webhook running?`;
}

function tlsAdvice(webhook: FailedCall, error: string): readonly string[] {
  return [...certificateLines(webhook), ...remedy(webhook, error)];
}

const rfc3339 = (time: number): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

/** What the certificate says, in a line. */
function certificateLines({ certificate }: FailedCall): readonly string[] {
  if (certificate === undefined) return [];
  const { subject, issuer, names, notBefore, notAfter } = certificate;
  const whose = subject === '' ? 'without a subject' : subject;
  const by = issuer === subject ? 'signed by itself' : `issued by ${issuer}`;
  const forNames = names.length === 0 ? 'for no names' : `for ${names.join(', ')}`;
  return [`the certificate: ${whose}, ${forNames}, valid ${rfc3339(notBefore)} to ${rfc3339(notAfter)}, ${by}`];
}

function remedy(webhook: FailedCall, error: string): readonly string[] {
  const text = tlsRemedies.find(([pattern]) => pattern.test(error))?.[1](webhook);
  return text === undefined ? [] : [text];
}

const tlsRemedies: readonly (readonly [RegExp, (webhook: FailedCall) => string])[] = [
  [/is before/, () => 'it is not valid yet: compare the clocks'],
  [/expired/, () => 'it has expired: issue a new one and let the webhook load it'],
  [
    /Common Name/,
    ({ certificate }) =>
      `it names ${certificate?.serverName ?? 'the server'} only as its Common Name: issue one with subjectAltName`,
  ],
  [
    /is valid for|not valid for any names|IP SANs/,
    ({ certificate }) =>
      `kube-apiserver asks for ${certificate?.serverName ?? 'another name'}: issue the certificate with that as a subjectAltName`,
  ],
  [/key usage/, () => 'it is not for servers: issue it with extended key usage serverAuth'],
  [/unknown authority/, unknownAuthority],
  [/HTTP response to HTTPS client/, plainServer],
  [
    /unsupported protocol version|protocol version not supported/,
    () => 'the webhook speaks only TLS 1.0 or 1.1; the least is 1.2',
  ],
  [
    /certificate required|bad certificate|unknown certificate authority/,
    () => 'the webhook wants a client certificate that it knows; kadmit sends none',
  ],
  [/EOF|reset|timeout/, () => 'the webhook ended or ignored the handshake: does it speak TLS at that port?'],
];

function unknownAuthority(webhook: FailedCall): string {
  if (clientConfigOf(webhook)['caBundle'] === undefined) {
    return 'clientConfig has no caBundle, so only the CAs of this machine count: put the PEM of the CA that issued it there, in base64';
  }
  return 'the caBundle does not hold the CA that issued it: was the CA replaced, or the caBundle written for another one?';
}

function plainServer(webhook: FailedCall): string {
  const service = serviceOf(webhook);
  const plain = service === '' ? '' : `, or map it as it is: kadmit map ${service}=http://…`;
  return `the webhook speaks plain HTTP there: serve TLS${plain}`;
}

function answerAdvice({ review }: FailedCall, error: string): string {
  if (/malformed HTTP response/.test(error)) return 'what listens there speaks no HTTP: is it the right port?';
  if (/redirect/.test(error))
    return 'the webhook redirects: kube-apiserver follows, but not for ever; answer at the path of clientConfig';
  const isDelete = asObject(review?.['request'])['operation'] === 'DELETE';
  const known = isDelete ? ' (of a DELETE request.object is null; what is deleted is request.oldObject)' : '';
  return `the webhook ended the connection without an answer: look into its log${known}`;
}

/** Its own time, or the rest of the time that all webhooks of a request share (rules FAIL-40 to FAIL-43). */
function timeoutAdvice({ timeoutMilliseconds, definition }: FailedCall): string {
  const own = definition?.['timeoutSeconds'];
  const ownMilliseconds = (typeof own === 'number' ? own : 10) * 1000;
  if (timeoutMilliseconds === undefined || timeoutMilliseconds >= ownMilliseconds - 1) {
    return `it took longer than its timeoutSeconds, ${ownMilliseconds / 1000}: make it quicker, or give it more (30 is the most)`;
  }
  return `only ${durationText(timeoutMilliseconds)} were left for it of the time that the webhooks of a request share (34 s, or the client's timeout), less than its own ${ownMilliseconds / 1000} s`;
}

function decodeAdvice({ answer }: FailedCall, error: string): string {
  const shown =
    typeof answer === 'string' && answer !== '' ? `; it answered ${JSON.stringify(answer.slice(0, 80))}` : '';
  if (/could not find the requested resource/.test(error))
    return `the webhook knows no such path: correct the path in clientConfig${shown}`;
  if (/an error on the server|internal error/i.test(error))
    return `the webhook answered with an HTTP error: look into its log${shown}`;
  return `the body must be an AdmissionReview as JSON with code 200${shown}`;
}

function verifyAdvice({ review }: FailedCall, error: string): string {
  if (/uid/.test(error)) return `the answer must repeat request.uid, ${asString(asObject(review?.['request'])['uid'])}`;
  if (/absent/.test(error))
    return 'the answer needs a response: {"apiVersion": …, "kind": "AdmissionReview", "response": {"uid": …, "allowed": true}}';
  return 'the answer needs the apiVersion and kind of the review, and response.uid, response.allowed; a patch needs patchType JSONPatch';
}

function patchAdvice({ patch, answer }: FailedCall, error: string): string {
  if (/base64|undecodable/.test(error)) return 'response.patch must be a JSON Patch (a list of operations) in base64';
  if (patch === undefined && answer === undefined) return 'the patch must be a JSON Patch';
  if (/missing|doesn't exist|unable to/.test(error)) {
    return 'an operation names a path that is not there: add the parent first ("/metadata/annotations" before a key in it), escape / as ~1';
  }
  return 'the object after the patch is not one that the API can read: compare it with the schema';
}
