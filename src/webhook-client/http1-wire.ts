import type { Socket } from 'node:net';
import { goQuote } from '../apimachinery/field-error.ts';
import { answerReader } from './answer-reader.ts';
import type { AnswerReader, AnswerState } from './answer-reader.ts';
import { CallFailure } from './call-failure.ts';
import { endsOf } from './dial.ts';
import { openIntake } from './intake.ts';
import type { Intake } from './intake.ts';
import { brokenText, systemError } from './network-error.ts';
import type { Wire, WireReply, WireRequest } from './wire.ts';
import { refusedHeader, writeRequest } from './write-request.ts';

/** So long before a server means to hang up nothing is sent any more. */
const hintMarginMs = 2000;

/** Go's maxWriteWaitBeforeConnReuse. */
const longestWriteMs = 50;

/** A request under way. */
interface Turn {
  readonly heard: (reply: WireReply) => void;
  readonly reader: AnswerReader;
  readonly intake: Intake;
}

/**
 * A connection that carries one request at a time, written as one piece. It ends when it has carried nothing for `idleMs`,
 * or for as long as the server says that it keeps it. Follows Go's net/http transport.go (rules HTTP-7, FAIL-4, RSP-10).
 */
export function http1Wire(socket: Socket, idleMs: number): Wire {
  let turn: Turn | undefined;
  let isOpen = true;
  let writing: Writing = { isOver: true, waiting: undefined };
  const stays = keptAsTold(socket, idleMs);

  const end = (): void => {
    isOpen = false;
    socket.destroy();
  };
  const settle = (reply: WireReply, isReusable: boolean): void => {
    const heard = turn?.heard;
    turn?.intake.end();
    turn = undefined;
    if (isReusable) socket.unref();
    else end();
    heard?.(reply);
  };
  const fail = (error: string): void => {
    settle(failed(error, turn?.reader.readingBody() === true), false);
  };
  const heed = (state: AnswerState): void => {
    if (state === 'more') return;
    const reply = replyOf(state);
    settle(reply, isOpen && isWhole(state) && stays(reply));
  };
  const ended = (): void => {
    isOpen = false;
    if (turn) heed(turn.reader.finish());
    else socket.destroy();
  };
  const broken = (error: Error): void => {
    isOpen = false;
    fail(brokenText(systemError(error), endsOf(error)));
  };
  // What comes unasked makes nobody wiser: Go hangs up.
  socket.on('data', (chunk: Buffer) => (turn ? heed(readOn(turn, chunk)) : end()));
  socket.on('end', ended).on('close', ended).on('error', broken);
  socket.setTimeout(idleMs, () => (turn ? undefined : end()));
  return {
    isOpen: () => isOpen,
    rest: (then) => (isOpen && !writing.isOver ? afterWriting(writing, end, then) : then()),
    destroy: () => fail('kadmit closed the connection'),
    send: (request, heard) => {
      const { reader } = (turn = beginTurn(socket, heard));
      const refused = refusedHeader(request);
      if (refused === undefined) writing = written(socket, request);
      else fail(`net/http: invalid header field value for ${goQuote(refused)}`);
      return { readingBody: reader.readingBody, end: () => undefined };
    },
  };
}

const beginTurn = (socket: Socket, heard: Turn['heard']): Turn => ({
  heard,
  reader: answerReader(),
  intake: openIntake({ stop: () => socket.pause(), goOn: () => socket.resume() }),
});

function readOn({ reader, intake }: Turn, chunk: Buffer): AnswerState {
  const state = reader.read(chunk);
  if (state === 'more') intake.piece(chunk.length);
  return state;
}

/** Is the request written as a whole? Who answers before has not read it. */
interface Writing {
  isOver: boolean;
  waiting: (() => void) | undefined;
}

function written(socket: Socket, request: WireRequest): Writing {
  const writing: Writing = { isOver: false, waiting: undefined };
  writeRequest(socket, request, () => {
    writing.isOver = true;
    writing.waiting?.();
  });
  return writing;
}

/** Tells when the request is written; `tooLate` is called before, if that takes too long. */
function afterWriting(writing: Writing, tooLate: () => void, then: () => void): void {
  const timer = setTimeout(() => {
    writing.waiting = undefined;
    tooLate();
    then();
  }, longestWriteMs);
  writing.waiting = () => {
    clearTimeout(timer);
    then();
  };
}

const failed = (error: string, readingBody: boolean): WireReply => ({
  outcome: 'failed',
  failure: new CallFailure(readingBody ? 'body' : 'headers', error),
  readingBody,
});

type HeardAnswer = Exclude<AnswerState, 'more'>;

/** Nothing came behind it, and another may be asked for. */
const isWhole = (answer: HeardAnswer): boolean =>
  answer.outcome === 'complete' && !answer.head.closes && answer.left === 0;

function replyOf(answer: HeardAnswer): WireReply {
  if (answer.outcome === 'complete') {
    const { head, body } = answer;
    return { outcome: 'answered', code: head.code, header: (name) => head.fields.get(name)?.[0], body };
  }
  const { phase, error, isHttp } = answer;
  const failure = new CallFailure(phase, error, isHttp ? {} : { cause: { because: 'no-http' } });
  return { outcome: 'failed', failure, readingBody: phase === 'body' };
}

/** Ends the connection once it was idle for as long as the server said that it keeps it, less a margin. May it stay at all? */
function keptAsTold(socket: Socket, idleMs: number): (reply: WireReply) => boolean {
  let keptMs = idleMs;
  return (reply) => {
    const hint = reply.outcome === 'answered' ? reply.header('keep-alive') : undefined;
    const seconds = hint === undefined ? undefined : /timeout=(\d+)/.exec(hint)?.[1];
    const nextMs = seconds === undefined ? idleMs : Math.min(idleMs, Number(seconds) * 1000 - hintMarginMs);
    if (nextMs > 0 && nextMs !== keptMs) socket.setTimeout(nextMs);
    keptMs = nextMs;
    return nextMs > 0;
  };
}
