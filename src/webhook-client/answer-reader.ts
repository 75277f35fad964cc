import { bodyReader } from './answer-body.ts';
import type { AnswerHead } from './answer-head.ts';
import type { BodyReader, BodyState } from './body-reader.ts';
import { headReader } from './head-reader.ts';

/** Where reading an answer stands. */
export type AnswerState =
  | 'more'
  /** `left` bytes came behind it. */
  | { readonly outcome: 'complete'; readonly head: AnswerHead; readonly body: Uint8Array; readonly left: number }
  | {
      readonly outcome: 'broken';
      readonly phase: 'headers' | 'body';
      readonly error: string;
      readonly isHttp: boolean;
    };

/** Reads one HTTP/1 answer, piece by piece. */
export interface AnswerReader {
  readonly read: (piece: Buffer) => AnswerState;
  /** The connection has ended. */
  readonly finish: () => AnswerState;
  readonly readingBody: () => boolean;
}

/** Follows Go's net/http transport.go readLoop: its rules, and its words for what is none (rules FAIL-4, RSP-10). */
export function answerReader(): AnswerReader {
  const heads = headReader();
  let head: AnswerHead | undefined;
  let body: BodyReader | undefined;
  const inBody = (known: AnswerHead, state: BodyState): AnswerState => {
    if (state === 'more') return 'more';
    return 'error' in state
      ? { outcome: 'broken', phase: 'body', error: state.error, isHttp: true }
      : { outcome: 'complete', head: known, body: state.ended, left: state.left };
  };
  return {
    read: (piece) => {
      if (head && body) return inBody(head, body.read(piece));
      const state = heads.read(piece);
      if (state === 'more') return 'more';
      if ('error' in state) return broken(state.error, false);
      head = state.head;
      body = bodyReader(head.length);
      return inBody(head, body.read(state.rest));
    },
    finish: () => {
      if (head && body) return inBody(head, body.finish());
      if (heads.hasBegun()) return broken('unexpected EOF', true);
      return { outcome: 'broken', phase: 'headers', error: 'EOF', isHttp: true };
    },
    readingBody: () => head !== undefined,
  };
}

const broken = (error: string, isHttp: boolean): AnswerState => ({
  outcome: 'broken',
  phase: 'headers',
  error: `net/http: HTTP/1.x transport connection broken: ${error}`,
  isHttp,
});
