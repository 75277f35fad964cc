import { setImmediate } from 'node:timers';

/** How the bytes of an answer are kept from coming, and let come again. */
interface Flow {
  readonly stop: () => void;
  readonly goOn: () => void;
}

/** What is taken in of one answer. */
export interface Intake {
  /** A piece has come that is not the last: the next one comes when there is time and room for it. */
  readonly piece: (bytes: number) => void;
  /** Nothing is kept here any longer. */
  readonly end: () => void;
}

interface Limits {
  /** Bytes that there is room for of every answer: most are shorter. */
  readonly ofEach: number;
  /** Bytes of all answers under way; beyond them one answer after the other goes on. */
  readonly ofAll: number;
  /** Pieces that are let come in a turn of the loop. */
  readonly piecesATurn: number;
}

interface Taken {
  readonly flow: Flow;
  bytes: number;
  isOver: boolean;
}

/** Hundreds of answers that are as long as they may be would otherwise take gigabytes, and come in one turn of the loop. */
export function createIntakes({ ofEach, ofAll, piecesATurn }: Limits, later: (work: () => void) => void) {
  /** In the order in which they came: those that wait for a turn, and those for which there is no room. */
  const ready: Taken[] = [];
  const waiting: Taken[] = [];
  /** The one that goes on without room. */
  let first: Taken | undefined;
  let bytes = 0;
  let isCalled = false;

  const callThem = (): void => {
    if (isCalled || ready.length === 0) return;
    isCalled = true;
    later(() => {
      isCalled = false;
      for (const { flow, isOver } of ready.splice(0, piecesATurn)) if (!isOver) flow.goOn();
      callThem();
    });
  };
  const hasRoom = (answer: Taken): boolean => {
    if (answer.bytes <= ofEach || bytes <= ofAll) return true;
    first ??= answer;
    return first === answer;
  };
  const admit = (): void => {
    for (const answer of waiting.splice(0)) if (!answer.isOver) (hasRoom(answer) ? ready : waiting).push(answer);
    callThem();
  };
  return (flow: Flow): Intake => {
    const answer: Taken = { flow, bytes: 0, isOver: false };
    return {
      piece: (more) => {
        answer.bytes += more;
        bytes += more;
        flow.stop();
        (hasRoom(answer) ? ready : waiting).push(answer);
        callThem();
      },
      end: () => {
        if (answer.isOver) return;
        answer.isOver = true;
        bytes -= answer.bytes;
        if (first === answer) first = undefined;
        if (waiting.length > 0) admit();
      },
    };
  };
}

const mebi = 1024 * 1024;

/** Of all answers that this process waits for. */
export const openIntake = createIntakes({ ofEach: mebi / 8, ofAll: 64 * mebi, piecesATurn: 32 }, (work) => {
  setImmediate(work);
});
