import type { Draw } from '../harness/draw.ts';
import { jsonText } from './json-text.ts';

/** What one case does, in order. Plain data, so that it can be made smaller and printed. */
export type Case = readonly Act[];

export type Act = RequestAct | BytesAct | AnswerAct | FolderAct;

/** A request as clients send it. */
export interface RequestAct {
  readonly act: 'request';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly http2?: boolean;
}

/** Bytes on a TLS connection of their own, each chunk a write. */
export interface BytesAct {
  readonly act: 'bytes';
  readonly protocol: 'http/1.1' | 'h2';
  readonly chunks: readonly Uint8Array[];
}

/** What the webhook answers from now on. */
export interface AnswerAct {
  readonly act: 'answer';
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `<uid>` becomes the uid of the review. */
  readonly body: Uint8Array;
  readonly manner: 'whole' | 'in pieces' | 'repeated' | 'unfinished';
}

/** A folder of files, in which kadmit is run; `$KUBECONFIG` among the arguments becomes that of the server. */
export interface FolderAct {
  readonly act: 'folder';
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly command: readonly string[];
}

/** How the server is started, beside what every server is told; `$DIR` in a flag is the folder of the files. */
export interface Serving {
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** What a target needs of the world it is played in. */
export interface Ground {
  readonly webhook: { readonly url: string; readonly caBundle: string };
}

/** A kind of input, with cases without end. */
export interface Target {
  readonly name: string;
  /** So long may the server keep what a client has left; shorter rounds cannot tell it from a leak. */
  readonly lingersMs?: number;
  readonly serving?: (ground: Ground) => Serving;
  /** Played once on a fresh server. */
  readonly before?: (ground: Ground) => Case;
  /** `turn` counts the cases, from another number with each seed. */
  readonly draw: (draw: Draw, ground: Ground, turn: number) => Case;
}

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

export const request = (method: string, path: string, body?: unknown, type = 'application/json'): RequestAct => ({
  act: 'request',
  method,
  path,
  headers: body === undefined ? {} : { 'content-type': type },
  body: body === undefined ? new Uint8Array() : bytesOf(typeof body === 'string' ? body : jsonText(body)),
});
