import { CallFailure } from './call-failure.ts';
import { brokenText, systemError } from './network-error.ts';
import type { Ends } from './network-error.ts';
import { statusLineError } from './status-line.ts';

/** How far an exchange got before undici or its socket reported an error. */
export interface Progress {
  /** The headers of the response have arrived. */
  readonly readingBody: boolean;
  /** Bytes of an HTTP/1 response have arrived. */
  readonly hasBegun: boolean;
  readonly ends: Ends | undefined;
}

/** What llhttp says of a response, and Go's text for it where they agree (rules FAIL-4, RSP-10). */
const parserTexts: readonly (readonly [reason: RegExp, text: (rest: string) => string])[] = [
  [
    /^(?:Expected HTTP\/|Invalid HTTP version|Expected space after version)/,
    (rest) => statusLineError(firstLine(rest)),
  ],
  [/^Invalid (?:status code|response status)/, () => 'malformed HTTP status code'],
  [/^Invalid header token/, () => 'malformed MIME header line'],
  [/^Invalid header value char/, () => 'malformed MIME header line'],
  [/^Unexpected space after start line/, () => 'malformed MIME header initial line'],
  [/^Invalid character in Content-Length/, (rest) => `bad Content-Length "${firstLine(rest).trim()}"`],
  [/^Empty Content-Length/, () => 'invalid empty Content-Length ""'],
  [/^Content-Length overflow/, () => 'bad Content-Length'],
  [/^Invalid character in chunk size/, () => 'invalid byte in chunk length'],
  [/^Chunk size overflow/, () => 'http chunk length too large'],
  [/^Missing expected CR after chunk size/, () => 'chunked line ends with bare LF'],
  [/^Expected LF after chunk size/, () => 'invalid CR in chunked line'],
  [/^Expected LF after chunk data/, () => 'malformed chunked encoding'],
];

/** undici's other errors by code: the text while Go waits for the headers, and while it reads the body. */
const codeTexts: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  UND_ERR_SOCKET: ['EOF', 'unexpected EOF'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'http: message cannot contain multiple Content-Length headers',
    'unexpected EOF',
  ],
  UND_ERR_HEADERS_OVERFLOW: ['net/http: server response headers exceeded 262144 bytes; aborted', 'unexpected EOF'],
  UND_ERR_DESTROYED: ['kadmit closed the connection', 'kadmit closed the connection'],
  UND_ERR_CLOSED: ['kadmit closed the connection', 'kadmit closed the connection'],
};

/** An error of undici or of the socket below it, with its phase and in Go's words. */
export function responseFailure(error: unknown, progress: Progress): CallFailure {
  if (error instanceof CallFailure) return error;
  const { readingBody, hasBegun, ends } = progress;
  const fail = (headersText: string, bodyText: string, isHttp = true): CallFailure =>
    readingBody
      ? new CallFailure('body', bodyText)
      : new CallFailure('headers', headersText, isHttp ? {} : { cause: { because: 'no-http' } });
  const system = systemError(error);
  const parserText = parserTextOf(error, system.message);
  if (parserText !== undefined) return fail(`${brokenTransport}${parserText}`, parserText, false);
  if (system.code === 'UND_ERR_SOCKET' && hasBegun) return fail(`${brokenTransport}unexpected EOF`, 'unexpected EOF');
  const [headersText, bodyText] = codeTexts[system.code] ?? [];
  if (headersText !== undefined && bodyText !== undefined) return fail(headersText, bodyText);
  if (readingBody && system.code.startsWith('UND_ERR_')) return fail('', 'unexpected EOF');
  const text = brokenText(system, ends);
  return fail(text, text);
}

const brokenTransport = 'net/http: HTTP/1.x transport connection broken: ';

/** undici names llhttp's reason in parentheses; `data` is the rest of the bytes, from the one that llhttp refuses. */
function parserTextOf(error: unknown, message: string): string | undefined {
  const reason = /^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/.exec(message)?.[1];
  if (reason === undefined) return undefined;
  const rest: unknown = error instanceof Error && 'data' in error ? error.data : '';
  const text = parserTexts.find(([pattern]) => pattern.test(reason))?.[1];
  return text === undefined ? `malformed HTTP response: ${reason}` : text(String(rest));
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';
