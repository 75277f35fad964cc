import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { CertificateSubject, SentHeaders } from '../auth/authenticate.ts';
import type { UserInfo } from '../auth/user.ts';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** As sent, with the query; absent for in-process requests. */
  readonly target?: string;
  /** Absent for in-process requests. */
  readonly remoteAddress?: string | undefined;
  /** Lower-case names; repeated values are joined with `, ` except impersonation's. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** The user of an in-process request. */
  readonly as?: UserInfo;
  readonly certificate: ClientCertificate | undefined;
  /** Signed by a CA of authenticating proxies. */
  readonly proxyCertificate?: ClientCertificate | undefined;
  /** As sent; present when a proxy may have sent them. */
  readonly sent?: SentHeaders;
  readonly auditId: string;
  readonly receivedAt: number;
  /** Aborts when the client is gone; most requests do not need one. */
  readonly signal: () => AbortSignal;
  /** 406 when no accepted media type can be sent; custom resources have other types than built-in kinds. */
  readonly negotiationError?: (isCustom: boolean) => Status | undefined;
  /** A Status when memory runs out, so that long work stops. */
  readonly exhaustion?: () => Status | undefined;
}

export type ClientCertificate = CertificateSubject;

/** adapters/http writes it in the accepted media type. */
export type ApiResponse =
  | {
      readonly type: 'object';
      readonly code: number;
      readonly body: JsonObject;
      readonly headers?: Headers;
      readonly warnings: readonly string[];
      readonly printed?: Printed;
    }
  | {
      readonly type: 'status';
      readonly status: Status;
      readonly warnings: readonly string[];
      /** From before the handlers: plain JSON with the content type text/plain. */
      readonly isBare?: true;
    }
  | {
      readonly type: 'document';
      readonly code: number;
      readonly contentType: string;
      readonly body: DocumentBody;
      readonly headers?: Headers;
    }
  | {
      readonly type: 'watch';
      readonly open: OpenWatch;
      readonly warnings?: readonly string[];
      readonly printed?: Printed;
    };

export function responseCode(response: ApiResponse): number {
  switch (response.type) {
    case 'status':
      return response.status.code;
    case 'object':
    case 'document':
      return response.code;
    case 'watch':
      return 200;
  }
}

/** Long documents are created while the client reads. */
export type DocumentBody = string | Uint8Array | AsyncIterable<string>;

/** Custom resources and their Scales are never sent as protobuf. */
export interface Printed {
  /** Absent: the built-in columns. */
  readonly columns?: () => TableColumns;
}

export interface TableColumns {
  readonly definitions: readonly JsonObject[];
  /** `now` in milliseconds since 1970. */
  readonly cells: (object: JsonObject, now: number) => readonly JsonValue[];
}

export type Headers = Readonly<Record<string, string>>;

/** As Go's http.Error. */
export const plainText = (code: number, body: string, headers: Headers = {}): ApiResponse => ({
  type: 'document',
  code,
  contentType: 'text/plain; charset=utf-8',
  headers: { ...headers, 'x-content-type-options': 'nosniff' },
  body,
});

/** Returns the stop function; `end` is called when the watch ends (timeoutSeconds, 410). */
export type OpenWatch = (send: (event: WatchEvent) => void, end: () => void) => () => void;

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}
