import { trimSpace } from '../../../machinery/go/strings.ts';
import { goQuote } from '../../../machinery/meta/field-error.ts';
import { readJson } from '../../../machinery/json/json-reader.ts';
import { goQuoteBytes } from '../../../machinery/go/utf8.ts';
import { isJsonObject, type JsonDocument } from '../../../machinery/json/json.ts';

interface HttpReply {
  readonly code: number;
  readonly contentType: string | undefined;
  readonly body: string;
  /** The raw body, when it may be invalid UTF-8. */
  readonly bytes?: Uint8Array;
}

/** These bodies are decoded as an AdmissionReview (rule RSP-1). */
export const isSuccess = (code: number): boolean => code >= 200 && code <= 206;

/**
 * The text behind `failed to call webhook: ` for a response without a review. Follows client-go rest/request.go and
 * apimachinery pkg/api/errors/errors.go (rules RSP-3, RSP-4).
 */
export function transformResponse(answer: HttpReply): string {
  const { code, body } = answer;
  return (body === '' ? undefined : statusMessage(body)) ?? describeStatusCode(code, serverText(answer), answer);
}

/** Rule RSP-5. */
export const emptyBody = (code: number, contentType: string | undefined): string =>
  `0-length response with status code: ${code} and content type: ${contentType || 'application/json'}`;

/** '' for any that Go can parse (rule RSP-2). Follows go src/mime/mediatype.go. */
export function contentTypeError(contentType: string | undefined): string {
  if (!contentType || contentType === 'application/json') return '';
  const [mediaType = '', ...parameters] = contentType.split(';');
  const [type = '', ...rest] = mediaType.trim().split('/');
  if (!/^[\w!#$%&'*+.^`|~-]+/.test(type)) return 'mime: no media type';
  if (!token.test(type)) return 'mime: expected slash after first token';
  if (rest.length > 0 && !/^[\w!#$%&'*+.^`|~-]+/.test(rest.join('/'))) return 'mime: expected token after slash';
  if (rest.length > 0 && !token.test(rest.join('/'))) return 'mime: unexpected content after media subtype';
  return areParameters(parameters) ? '' : 'mime: invalid media parameter';
}

/** One trailing semicolon is allowed. */
const areParameters = (texts: readonly string[]): boolean =>
  texts.every((text, at) => parameter.test(text) || (text.trim() === '' && at === texts.length - 1));

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const parameter = /^\s*[\w!#$%&'*+.^`|~-]+=("([^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+)\s*$/;

/** Only a body that claims to be text, or claims nothing, is shown. */
function serverText({ contentType, body }: HttpReply): string {
  if (contentType && !/^\s*text\//i.test(contentType)) return 'unknown';
  return trimSpace(body.slice(0, maxTextBytes));
}

const maxTextBytes = 2048;

/** As Go's %q. */
function quotedText(text: string, { bytes }: HttpReply): string {
  if (text === 'unknown' || bytes === undefined || !text.includes('\ufffd')) return goQuote(text);
  const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
  const start = bytes.findIndex((byte) => !isSpace(byte));
  const shown = bytes.subarray(start, maxTextBytes);
  return goQuoteBytes(shown.subarray(0, shown.findLastIndex((byte) => !isSpace(byte)) + 1));
}

/** Without a kind it is no Status; the version does not matter. */
function statusMessage(body: string): string | undefined {
  const reading = readJson(body);
  if (reading.outcome === 'unreadable' || !isJsonObject(reading.json.value)) return undefined;
  const { kind, apiVersion, status, message } = reading.json.value;
  if (kind !== 'Status' || status !== 'Failure' || !isVersion(apiVersion ?? '')) return undefined;
  return typeof message === 'string' ? message : '';
}

const isVersion = (apiVersion: JsonDocument): boolean =>
  typeof apiVersion === 'string' && apiVersion.split('/').length <= 2;

const texts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function describeStatusCode(code: number, serverMessage: string, reply: HttpReply): string {
  if (code === 403 || code === 415) return serverMessage;
  if (code === 406) {
    const isSilent = serverMessage === '' || serverMessage === 'unknown';
    return isSilent ? 'the server was unable to respond with a content type that the client supports' : serverMessage;
  }
  const text = texts[code];
  if (text !== undefined) return text;
  return code >= 500
    ? `an error on the server (${quotedText(serverMessage, reply)}) has prevented the request from succeeding`
    : `the server responded with the status code ${code} but did not return more information`;
}
