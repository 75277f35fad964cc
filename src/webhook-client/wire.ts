import type { CallFailure } from './call-failure.ts';

/** One request, ready to be sent. */
export interface WireRequest {
  readonly method: 'POST' | 'GET';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type WireReply =
  | {
      readonly outcome: 'answered';
      readonly code: number;
      /** The first value of a header, by its lower-case name. */
      readonly header: (name: string) => string | undefined;
      readonly body: Uint8Array;
    }
  | {
      readonly outcome: 'failed';
      readonly failure: CallFailure;
      /** The headers had come; it broke while the body was read. */
      readonly readingBody: boolean;
    };

/** An open connection. */
export interface Wire {
  /** Could a request be sent now? */
  readonly isOpen: () => boolean;
  /** Sends a request; `heard` is told once what came of it, unless the wire is destroyed or the exchange ended before. */
  readonly send: (request: WireRequest, heard: (reply: WireReply) => void) => Exchange;
  /** Tells, after an answer, when another request may be sent: the wire is open and has nothing left to write, or is not. */
  readonly rest: (then: () => void) => void;
  readonly destroy: () => void;
}

/** A request under way. */
export interface Exchange {
  /** Have the headers of its answer come? */
  readonly readingBody: () => boolean;
  /** Ends it, and leaves those be that share its connection; nothing happens on a connection that carries it alone. */
  readonly end: (why: Error) => void;
}

/** Ours: kube-apiserver reads an answer of any length. No object that could be stored needs a longer one. */
export const longestAnswer = 8 * 1024 * 1024;

export const tooLong = `the answer is longer than ${longestAnswer} bytes, the most that kadmit reads`;
