import { isJsonObject, type JsonObject } from '../../src/machinery/json/json.ts';
import type { ApiResponse, DocumentBody, OpenWatch } from '../../src/apiserver/request/api-request.ts';

/** The response to a request in the form that tests compare. */
export interface WorldAnswer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
  /** '' unless the response is a Status with a message. */
  readonly message: string;
  readonly watch?: OpenWatch;
}

export function toWorldAnswer(response: ApiResponse): WorldAnswer {
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

/** The text of a document; '' when it is sent in chunks. */
export function textOf(body: DocumentBody): string {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
}

/** The field of a response at this path; undefined if absent. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current) && typeof step === 'number') current = current[step];
    else if (isJsonObject(current) && Object.hasOwn(current, step)) current = current[step];
    else return undefined;
  }
  return current;
}
