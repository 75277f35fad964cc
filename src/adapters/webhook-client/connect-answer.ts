import type { Socket } from 'node:net';
import { CallFailure } from './call-failure.ts';
import { statusLineError } from './status-line.ts';

const longestHead = 1024 * 1024;

/**
 * The status of a proxy's response to CONNECT: `200 OK`. Rejects with Go's error for an invalid one. Follows Go's
 * net/http response.go ReadResponse.
 */
export function connectAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = '';
    const done = (act: () => void): void => {
      socket.off('data', onData).off('close', onClose).off('error', onError);
      act();
    };
    const fail = (why: string): void => done(() => reject(new CallFailure('connect', why)));
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (/\n\r?\n/.test(head)) {
        const [line = ''] = head.split(/\r?\n/, 1);
        const error = statusLineError(line);
        if (error !== '') return fail(error);
        done(() => resolve(line.slice(line.indexOf(' ')).trimStart()));
      } else if (head.length > longestHead) fail('the head has no end');
    };
    const onClose = (): void => fail('unexpected EOF');
    const onError = (error: Error): void => fail(error.message);
    socket.on('data', onData).on('close', onClose).on('error', onError);
  });
}
