import { tooManyRequests } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { WireResponse } from './wire-response.ts';

/** The answers that were written and that clients have not read. */
export interface Unread {
  /** The same answer, counted until it is sent or its client is gone. */
  readonly hold: (answer: WireResponse, response: Closing) => WireResponse;
  /** The refusal of a request whose answer there is no room for; undefined when there is. */
  readonly refusal: (method: string) => Status | undefined;
}

interface Closing {
  readonly once: (event: 'close', listener: () => void) => unknown;
}

const usual = 512 * 1024 * 1024;

/**
 * Clients that ask for long lists and read none of them fill the memory outside of V8's heap. What takes things away may
 * always come in.
 */
export function createUnread(most: number = usual): Unread {
  let waiting = 0;
  return {
    hold: (answer, response) => {
      const bytes = bytesOf(answer);
      if (bytes < few) return answer;
      waiting += bytes;
      response.once('close', () => {
        waiting -= bytes;
      });
      return answer;
    },
    refusal: (method) => {
      if (waiting <= most || method === 'DELETE') return undefined;
      const megabytes = Math.ceil(waiting / 2 ** 20);
      return tooManyRequests(`${megabytes} MiB of answers wait for their clients to read them`, 1);
    },
  };
}

/** Answers of fewer bytes than this are not counted: there are thousands of them in a second. */
const few = 16 * 1024;

/** What a watch holds has a bound of its own. */
function bytesOf(answer: WireResponse): number {
  switch (answer.type) {
    case 'buffered':
      return answer.body.length;
    case 'parts':
      return answer.held;
    case 'watch':
      return 0;
  }
}
