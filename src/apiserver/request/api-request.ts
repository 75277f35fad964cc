import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { SentHeaders } from '../auth/request-header.ts';
import type { UserInfo } from '../auth/user.ts';

/** One HTTP request, read from the socket. */
export interface ApiRequest {
  readonly method: string;
  /** Percent-decoded where it names things; without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The request target as it was sent, query included; absent for a request from inside the process. */
  readonly target?: string;
  /** The address at the other end of the connection; absent for a request from inside the process. */
  readonly remoteAddress?: string | undefined;
  /** Names in lower case; repeated ones joined with `, ` except impersonation's, which stay a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Who asks, when the request comes from inside the process; the door never sets it. */
  readonly as?: UserInfo;
  /** The verified client certificate. */
  readonly certificate: ClientCertificate | undefined;
  /** The same, if a CA of proxies that name the user in headers has signed it. */
  readonly proxyCertificate?: ClientCertificate | undefined;
  /** Every header as it was sent; there when a proxy may have sent it. */
  readonly sent?: SentHeaders;
  readonly auditId: string;
  /** Milliseconds since 1970, with fractions. */
  readonly receivedAt: number;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Why no answer to it could be sent: the client takes none of its forms. Custom resources have other forms than built-in kinds. */
  readonly unacceptable?: (isCustom: boolean) => Status | undefined;
  /** Why one that does many things has to stop between them: there is no memory left. */
  readonly exhaustion?: () => Status | undefined;
}

export interface ClientCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** What goes back. http/ turns it into bytes in the representation the client accepts. */
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
      /** It comes from before the handlers: JSON whatever the client accepts, and it says of itself that it is text. */
      readonly isBare?: true;
    }
  | {
      readonly type: 'document';
      readonly code: number;
      readonly contentType: string;
      readonly body: DocumentBody;
      readonly headers?: Headers;
    }
  | { readonly type: 'watch'; readonly open: OpenWatch; readonly printed?: Printed };

/** What is long comes in pieces of UTF-8, or in parts that are made when the client has taken those before them. */
export type DocumentBody = string | Uint8Array | readonly Uint8Array[] | AsyncIterable<string>;

/** Objects of a custom resource, and their Scales: they are never sent as protobuf. */
export interface Printed {
  /** Absent where the printer that does for all other kinds is asked. */
  readonly columns?: () => TableColumns;
}

/** The columns of a table, and what an object shows in them. */
export interface TableColumns {
  readonly definitions: readonly JsonObject[];
  /** `now` in milliseconds since 1970. */
  readonly cells: (object: JsonObject, now: number) => readonly JsonValue[];
}

export type Headers = Readonly<Record<string, string>>;

/** Starts delivering; returns what stops it. `end` is called when the watch is over (timeoutSeconds, 410). */
export type OpenWatch = (send: (event: WatchEvent) => void, end: () => void) => () => void;

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}
