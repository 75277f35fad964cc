import { expect, test } from 'vitest';
import { contentTypeError, transformResponse } from '../../../../src/apiserver/admission/webhooks/response-error.ts';

const noParameter = 'mime: invalid media parameter';

// Source: go src/mime/mediatype.go ParseMediaType, consumeMediaParam.
test.each<[contentType: string | undefined, error: string]>([
  [undefined, ''],
  ['', ''],
  ['application/json', ''],
  ['json', ''],
  [' application/json ; charset=utf-8', ''],
  ['application/json; charset="utf-8"', ''],
  ['application/json; a="b\\"c"; d=e', ''],
  ['application/json;', ''],
  ['application/json; ', ''],
  ['application/json; charset=utf-8;', ''],
  ['application/json;;', noParameter],
  ['application/json;; charset=utf-8', noParameter],
  ['application/json; charset', noParameter],
  ['application/json; charset; a=b', noParameter],
  ['application/json; a=b; charset', noParameter],
  ['application/json; =b', noParameter],
  ['/json', 'mime: no media type'],
  ['a b/json', 'mime: expected slash after first token'],
  ['application/', 'mime: expected token after slash'],
  ['application/a/b', 'mime: unexpected content after media subtype'],
])('Content-Type %j: %j', (contentType, error) => {
  expect(contentTypeError(contentType)).toBe(error);
});

// Source: client-go rest/request.go newUnstructuredResponseError, go src/strconv/quote.go.
test('a text of bytes that are no UTF-8', () => {
  const bytes = Uint8Array.from([0x20, 0x1f, 0x8b, 0xff, 0x61, 0x0a]);
  const body = new TextDecoder().decode(bytes);
  expect(transformResponse({ code: 500, contentType: 'text/plain', body, bytes })).toBe(
    'an error on the server ("\\x1f\\x8b\\xffa") has prevented the request from succeeding',
  );
});

const ofCode = 'an error on the server ("unknown") has prevented the request from succeeding';
const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'no' };

// Source: client-go rest/request.go Result.Error; apimachinery pkg/runtime/scheme.go New: a Status is one in every version.
test.each<[fact: string, body: unknown, error: string]>([
  ['a Status', status, 'no'],
  ['of no version', { ...status, apiVersion: undefined }, 'no'],
  ['of a version without a group', { ...status, apiVersion: 'v7' }, 'no'],
  ['of a version of a group', { ...status, apiVersion: 'example.com/v1' }, 'no'],
  ['of a version that is none', { ...status, apiVersion: 'a/b/c' }, ofCode],
  ['of a version that is a number', { ...status, apiVersion: 1 }, ofCode],
  ['without a message', { ...status, message: undefined }, ''],
  ['of another kind', { ...status, kind: 'Pod' }, ofCode],
  ['of no kind', { ...status, kind: undefined }, ofCode],
  ['that is no failure', { ...status, status: 'Success' }, ofCode],
  ['a list', [status], ofCode],
  ['a text', 'no', ofCode],
])('an answer of code 500 with %s', (_fact, body, error) => {
  expect(transformResponse({ code: 500, contentType: 'application/json', body: JSON.stringify(body) })).toBe(error);
});
