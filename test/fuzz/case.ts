import type { RandomChoices } from '../harness/random-choices.ts';
import { jsonText } from './json-text.ts';

/** The acts of one case, in order. Plain data, so that it can be shrunk and printed. */
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

/** Bytes on a new TLS connection, one write per chunk. */
export interface BytesAct {
  readonly act: 'bytes';
  readonly protocol: 'http/1.1' | 'h2';
  readonly chunks: readonly Uint8Array[];
}

/** The response of the webhook from now on. */
export interface AnswerAct {
  readonly act: 'answer';
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `<uid>` becomes the uid of the review. */
  readonly body: Uint8Array;
  readonly manner: 'whole' | 'in pieces' | 'repeated' | 'unfinished';
}

/** A folder of files in which kadmit runs; `$KUBECONFIG` in the arguments becomes the server's. */
export interface FolderAct {
  readonly act: 'folder';
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly command: readonly string[];
}

/** Additional flags and files of the server; `$DIR` in a flag is the folder of the files. */
export interface Serving {
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** The environment of a target. */
export interface TargetEnvironment {
  readonly webhook: { readonly url: string; readonly caBundle: string };
}

/** A kind of input, an infinite sequence of cases. */
export interface Target {
  readonly name: string;
  /** How long the server may keep resources of a client that disconnected; a shorter wait reports them as leaks. */
  readonly releaseMs?: number;
  readonly serving?: (ground: TargetEnvironment) => Serving;
  /** Played once on a fresh server. */
  readonly before?: (ground: TargetEnvironment) => Case;
  /** `turn` counts the cases, from another number with each seed. */
  readonly generate: (random: RandomChoices, ground: TargetEnvironment, turn: number) => Case;
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
