import type { AnswerHead } from './answer-head.ts';
import { chunkedBody } from './chunked-body.ts';
import { collectBytes } from './collect-bytes.ts';
import type { BodyReader, BodyState } from './body-reader.ts';
import { longestAnswer, tooLong } from './wire.ts';

/** Follows Go's net/http transfer.go. */
export function bodyReader(length: AnswerHead['length']): BodyReader {
  if (length === 'chunked') return chunkedBody();
  return length === 'connection' ? endlessBody() : countedBody(length);
}

const broken: BodyState = { error: 'unexpected EOF' };
const tooMany: BodyState = { error: tooLong };

function countedBody(length: number): BodyReader {
  const collected = collectBytes(longestAnswer);
  let missing = length;
  let isFirst = true;
  return {
    read: (piece) => {
      if (length > longestAnswer) return tooMany;
      const left = piece.length - missing;
      // Most answers come in one piece, which needs no copy.
      if (isFirst && left >= 0) return { ended: piece.subarray(0, missing), left };
      isFirst = false;
      collected.add(left > 0 ? piece.subarray(0, missing) : piece);
      missing -= piece.length;
      return missing > 0 ? 'more' : { ended: collected.bytes(), left };
    },
    finish: () => broken,
  };
}

function endlessBody(): BodyReader {
  const collected = collectBytes(longestAnswer);
  return {
    read: (piece) => (collected.add(piece) ? 'more' : tooMany),
    finish: () => ({ ended: collected.bytes(), left: 0 }),
  };
}
