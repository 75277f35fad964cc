import { isJsonObject, type JsonObject } from '../../src/machinery/json/json.ts';
import type { ApiResponse, DocumentBody, OpenWatch } from '../../src/apiserver/request/api-request.ts';

/** What a request came to, in the form in which tests compare it. */
export interface WorldAnswer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
  /** '' when the answer is no Status with a message. */
  readonly message: string;
  readonly watch?: OpenWatch;
}

export function answerOf(response: ApiResponse): WorldAnswer {
  switch (response.type) {
    case 'object':
      return { code: response.code, body: response.body, warnings: response.warnings, message: '' };
    case 'status': {
      const { status, warnings } = response;
      return { code: status.code, body: status, warnings, message: status.message ?? '' };
    }
    case 'document':
      return { code: response.code, body: {}, warnings: [], message: textOf(response.body) };
    case 'watch':
      return { code: 200, body: {}, warnings: [], message: '', watch: response.open };
  }
}

/** The text of a document; '' when it comes in parts. */
export function textOf(body: DocumentBody): string {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
}

/** A field of an answer, by path; undefined where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current) && typeof step === 'number') current = current[step];
    else if (isJsonObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}
